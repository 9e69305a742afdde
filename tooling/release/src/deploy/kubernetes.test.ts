import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repository.ts'
import { kustomizations, type Manifest, manifestOf, manifests, manifestsFolder, podOf } from './manifests.ts'
import { knownVariables } from './variables.ts'

const packageRoot = join(import.meta.dirname, '../..')
const folder = join(packageRoot, '.cache/manifests')

const modelOf = ({ apiVersion, kind }: Manifest) => `kubernetes-models/${apiVersion}/${kind}`

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(manifests)('$file', ({ manifest }) => {
  test('is what Kubernetes takes', async () => {
    const model = await import(modelOf(manifest))
    const { apiVersion: _, kind, ...rest } = manifest
    expect(() => new model[kind](rest).validate()).not.toThrow()
  })
})

/** What the compiler says of manifests written as literals of their types: those schemas take members that do not exist. */
function problemsOf(literals: readonly Manifest[]): string {
  const files = literals.map((manifest, index) => {
    const file = join(folder, `${index}-${manifest.kind}.ts`)
    const type = `import type { I${manifest.kind} } from '${modelOf(manifest)}'\n`
    writeFileSync(
      file,
      `${type}export const manifest: I${manifest.kind} = ${JSON.stringify(manifest, null, 2)}\n`,
    )
    return file
  })
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ]
  try {
    execFileSync(join(packageRoot, 'node_modules/.bin/tsc'), ['--ignoreConfig', ...flags, ...files], {
      cwd: packageRoot,
      encoding: 'utf8',
    })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

test('no manifest has a member that does not exist', () => {
  const literals = manifests.map(({ manifest }) => manifest)
  expect(problemsOf(literals)).toBe('')
  expect(problemsOf([{ ...manifestOf('Service'), spec: { selectr: {} } }])).toContain('selectr')
})

test('kustomizations name every manifest but the example, and the same image', () => {
  const named = kustomizations.flatMap(({ file, resources }) =>
    resources.map((resource) => join(dirname(file), resource)),
  )
  for (const resource of named) expect(existsSync(join(root, manifestsFolder, resource))).toBe(true)
  const left = manifests.map(({ file }) => file).filter((file) => !named.includes(file))
  expect(left).toEqual(['secret.example.yaml'])
  expect(new Set(kustomizations.map(({ images }) => JSON.stringify(images))).size).toBe(1)
  expect(new Set(kustomizations.map(({ namespace }) => namespace))).toEqual(
    new Set([manifestOf('Namespace').metadata.name]),
  )
})

const matches = (selector: unknown, labels: Record<string, string>) =>
  Object.entries(selector as Record<string, string>).every(([name, value]) => labels[name] === value)

test('selectors select the instances, and not the migration', () => {
  const { labels } = podOf('Deployment').metadata
  const selectors = [manifestOf('Deployment').spec, manifestOf('PodDisruptionBudget').spec].map(
    (spec) => (spec as { selector: { matchLabels: unknown } }).selector.matchLabels,
  )
  selectors.push((manifestOf('Service').spec as { selector: unknown }).selector)
  for (const selector of selectors) {
    expect(matches(selector, labels)).toBe(true)
    expect(matches(selector, podOf('Job').metadata.labels)).toBe(false)
  }
  const policy = manifestOf('NetworkPolicy').spec as {
    podSelector: { matchLabels: unknown }
    policyTypes: string[]
  }
  for (const kind of ['Deployment', 'Job'])
    expect(matches(policy.podSelector.matchLabels, podOf(kind).metadata.labels)).toBe(true)
  expect(policy.policyTypes).toEqual(['Ingress', 'Egress'])
})

test('probes and service name a port of the container', () => {
  const [api] = podOf('Deployment').spec.containers
  const names = api?.ports?.map(({ name }) => name)
  for (const probe of [api?.startupProbe, api?.livenessProbe, api?.readinessProbe])
    expect(names).toContain(probe?.httpGet.port)
  const { ports } = manifestOf('Service').spec as { ports: { targetPort: string }[] }
  for (const { targetPort } of ports) expect(names).toContain(targetPort)
})

test('a disruption leaves most instances, and a rollout all of them', () => {
  const { replicas, strategy } = manifestOf('Deployment').spec as { replicas: number; strategy: object }
  const { maxUnavailable } = manifestOf('PodDisruptionBudget').spec as { maxUnavailable: number }
  expect(replicas - maxUnavailable).toBeGreaterThan(1)
  expect(strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } })
})

test('the service reads every variable that it is given', () => {
  const { data } = manifestOf('ConfigMap') as unknown as { data: Record<string, string> }
  const { stringData } = manifestOf('Secret') as unknown as { stringData: Record<string, string> }
  const names = [...Object.keys(data), ...Object.keys(stringData)]
  expect(names.filter((name) => !knownVariables.includes(name))).toEqual([])
  expect(Object.keys(data).filter((name) => /SECRET|TOKEN|_URL$/.test(name))).toEqual(['PUBLIC_URL'])
})

// The "restricted" Pod Security Standard, which the namespace enforces.
test.each(['Deployment', 'Job'])('the pods of the %s are restricted', (kind) => {
  const { spec } = podOf(kind)
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  })
  for (const container of spec.containers) {
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      },
    })
  }
  expect(manifestOf('Namespace').metadata.labels).toMatchObject({
    'pod-security.kubernetes.io/enforce': 'restricted',
  })
})
