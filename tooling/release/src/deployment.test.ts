import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, runSync, serve } from '@saleproof/process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { read, root } from './repository.ts'

// What can be checked of apps/api/deploy without a container engine or a cluster. CI builds the image, starts Compose,
// and runs kubeconform, hadolint and systemd-analyze (.github/workflows/ci.yml).

const deploy = 'apps/api/deploy'

/** The variables that configuration.md lists; tooling/checks keeps that list equal to what the code reads. */
const knownVariables = [
  ...read('apps/api/docs/configuration.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm),
].flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name))
const unknownVariables = (names: readonly string[]) => names.filter((name) => !knownVariables.includes(name))

const variableNames = (text: string) =>
  [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name)

test('the image runs the Node.js version that the repository is tested with, as a user without rights', () => {
  const dockerfile = read(`${deploy}/Dockerfile`)
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  const node = `node:${process.versions.node}-bookworm-slim`
  expect(images).toEqual([node, node])
  expect(dockerfile, 'its syntax is another image').not.toMatch(/^# *syntax=/m)
  expect(dockerfile).toMatch(/^USER 1000:1000$/m)
  expect(dockerfile.lastIndexOf('\nCOPY ')).toBeLessThan(dockerfile.indexOf('\nUSER '))
  expect(dockerfile).not.toMatch(/curl|wget|apt-get|^ADD|SECRET|TOKEN|PASSWORD/m)
})

describe('compose.yaml', () => {
  interface Service {
    image: string
    environment?: Record<string, string>
    ports?: string[]
    [field: string]: unknown
  }
  const text = read(`${deploy}/compose.yaml`)
  const compose: { services: Record<string, Service>; networks: Record<string, unknown> } = parse(text, {
    merge: true,
  })
  const services = Object.entries(compose.services)
  const own = services.filter(([, { image }]) => image.startsWith('saleproof'))

  test('its variables are those of compose.env', () => {
    const used = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)
    expect([...new Set(used)].sort()).toEqual(variableNames(read(`${deploy}/compose.env`)).sort())
    for (const secret of ['POSTGRES_PASSWORD', 'SALEPROOF_SECRET'])
      expect(text, 'no start without it').not.toMatch(new RegExp(`\\$\\{${secret}(?!:\\?)`))
  })

  test('the service reads every variable that it is given', () => {
    expect(own.map(([name]) => name)).toEqual(['api', 'migrate'])
    for (const [, { environment = {} }] of own) expect(unknownVariables(Object.keys(environment))).toEqual([])
  })

  test.each(services)(
    '%s gains no privileges, has an exact version and is reached from this machine alone',
    (_, service) => {
      expect(service).toMatchObject({
        security_opt: ['no-new-privileges:true'],
        logging: { driver: 'local' },
      })
      expect(service).not.toHaveProperty('privileged')
      expect(service.image).toMatch(
        /^(saleproof:local|postgres:\d+\.\d+-\w+|valkey\/valkey:\d+\.\d+\.\d+-\w+)$/,
      )
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    },
  )

  test('the service runs read-only and without capabilities; the databases are on the internal network', () => {
    for (const [, service] of own)
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] })
    expect(compose.networks.inside).toEqual({ internal: true })
    for (const name of ['postgres', 'valkey']) expect(compose.services[name]?.networks).toEqual(['inside'])
  })
})

interface Probe {
  httpGet: { path: string; port: string }
}

interface Container {
  args: string[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}

const manifest = (file: string) => parse(read(`${deploy}/kubernetes/${file}`))
const podOf = (file: string) => manifest(file).spec.template
const [api] = podOf('deployment.yaml').spec.containers as [Container]
const probes = [api.startupProbe, api.livenessProbe, api.readinessProbe]

describe('kubernetes', () => {
  test('the service reads every variable that it is given', () => {
    const { data } = manifest('config-map.yaml')
    const { stringData } = manifest('secret.example.yaml')
    expect(unknownVariables([...Object.keys(data), ...Object.keys(stringData)])).toEqual([])
    expect(Object.keys(data).filter((name) => /SECRET|TOKEN|_URL$/.test(name))).toEqual(['PUBLIC_URL'])
  })

  test('the kustomizations name every manifest but the example, and the same image', () => {
    const files = readdirSync(join(root, deploy, 'kubernetes'), { recursive: true, encoding: 'utf8' })
    const kustomizations = ['kustomization.yaml', 'migrate/kustomization.yaml']
    const named = kustomizations.flatMap((file) =>
      manifest(file).resources.map((resource: string) => join(file, '..', resource)),
    )
    expect(files.filter((file) => file.endsWith('.yaml') && !kustomizations.includes(file)).sort()).toEqual(
      [...named, 'secret.example.yaml'].sort(),
    )
    expect(manifest(kustomizations[0]!).images).toEqual(manifest(kustomizations[1]!).images)
    for (const file of kustomizations)
      expect(manifest(file).namespace).toBe(manifest('namespace.yaml').metadata.name)
  })

  test('selectors select the instances, and not the migration', () => {
    const matches = (selector: object, file: string) => {
      const { labels } = podOf(file).metadata
      return Object.entries(selector).every(([name, value]) => labels[name] === value)
    }
    const selectors = [
      manifest('deployment.yaml').spec.selector.matchLabels,
      manifest('pod-disruption-budget.yaml').spec.selector.matchLabels,
      manifest('service.yaml').spec.selector,
    ]
    for (const selector of selectors) {
      expect(matches(selector, 'deployment.yaml')).toBe(true)
      expect(matches(selector, 'migrate/job.yaml')).toBe(false)
    }
    const policy = manifest('network-policy.yaml').spec
    for (const file of ['deployment.yaml', 'migrate/job.yaml'])
      expect(matches(policy.podSelector.matchLabels, file)).toBe(true)
    expect(policy.policyTypes).toEqual(['Ingress', 'Egress'])
  })

  test('probes and service name a port of the container; it stops within its grace period', () => {
    const names = api.ports?.map(({ name }) => name)
    for (const probe of probes) expect(names).toContain(probe?.httpGet.port)
    for (const { targetPort } of manifest('service.yaml').spec.ports) expect(names).toContain(targetPort)
    expect(api.ports?.[0]?.containerPort).toBe(Number(/PORT=(\d+)/.exec(read(`${deploy}/Dockerfile`))?.[1]))
    const { terminationGracePeriodSeconds, containers } = podOf('deployment.yaml').spec
    const [, seconds] = containers[0].lifecycle.preStop.exec.command
    expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 10)
  })

  test('a disruption leaves most instances, and a rollout all of them', () => {
    const { replicas, strategy } = manifest('deployment.yaml').spec
    expect(replicas - manifest('pod-disruption-budget.yaml').spec.maxUnavailable).toBeGreaterThan(1)
    expect(strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } })
  })

  // The "restricted" Pod Security Standard, which the namespace enforces.
  test.each(['deployment.yaml', 'migrate/job.yaml'])('the pods of %s are restricted', (file) => {
    const { spec } = podOf(file)
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    for (const container of spec.containers)
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
    expect(manifest('namespace.yaml').metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
  })
})

const unit = (name: string) => read(`${deploy}/systemd/${name}`)
const values = (text: string, directive: string) =>
  [...text.matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe('systemd', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'saleproof-units-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.skipIf(spawnSync('systemd-analyze', ['--version']).error)('systemd accepts the units', () => {
    const names = ['saleproof.service', 'saleproof-backup.service', 'saleproof-backup.timer']
    const verify = () =>
      spawnSync('systemd-analyze', ['verify', ...names.map((name) => join(folder, name))], {
        encoding: 'utf8',
      })
    for (const name of names)
      writeFileSync(join(folder, name), unit(name).replaceAll('/usr/bin/node', process.execPath))
    expect(verify()).toMatchObject({ status: 0, stderr: '' })
    writeFileSync(join(folder, names[0]!), unit(names[0]!).replace('ProtectHome=', 'ProtectHouse='))
    expect(verify().stderr).toContain('ProtectHouse')
  })

  test.each(['saleproof.service', 'saleproof-backup.service'])(
    '%s gives up the rights that it does not need',
    (name) => {
      const yes = [
        'NoNewPrivileges',
        'PrivateDevices',
        'PrivateTmp',
        'PrivateUsers',
        'ProtectHome',
        'RestrictNamespaces',
      ]
      for (const directive of yes)
        expect([directive, ...values(unit(name), directive)]).toEqual([directive, 'yes'])
      expect(values(unit(name), 'ProtectSystem')).toEqual(['strict'])
      expect(values(unit(name), 'CapabilityBoundingSet')).toEqual([''])
      expect(values(unit(name), 'User')).toEqual(['saleproof'])
      // V8 compiles at run time.
      expect(values(unit(name), 'MemoryDenyWriteExecute')).toEqual([])
    },
  )

  test('the service has longer to stop than it takes', () => {
    expect(Number(values(unit('saleproof.service'), 'TimeoutStopSec')[0])).toBeGreaterThan(10)
    // The first process stops the others.
    expect(values(unit('saleproof.service'), 'KillMode')).toEqual(['mixed'])
  })

  test('the service reads every variable of the example and keeps its data in its state directory', () => {
    expect(unknownVariables(variableNames(unit('environment')))).toEqual([])
    expect(values(unit('environment'), 'DATABASE_URL')).toEqual(['file:/var/lib/saleproof/saleproof.db'])
    expect(values(unit('saleproof.service'), 'StateDirectory')).toEqual(['saleproof'])
  })

  test('its documentation is a file of the package', () => {
    for (const name of ['saleproof.service', 'saleproof-backup.service']) {
      const [, file = ''] =
        /^file:\/opt\/saleproof\/node_modules\/@saleproof\/api\/(docs\/.+\.md)$/.exec(
          values(unit(name), 'Documentation')[0] ?? '',
        ) ?? []
      expect([name, file, existsSync(join(root, 'apps/api', file)) && file !== '']).toEqual([
        name,
        file,
        true,
      ])
    }
  })

  test('deployment.md names the lines of the environment file to edit before the first start', () => {
    const [, toEdit = ''] = /# Edit before the first start\n([\s\S]*?)\n\n/.exec(unit('environment')) ?? []
    const names = variableNames(toEdit)
    expect(names).toEqual(['PUBLIC_URL', 'TRUST_PROXY'])
    const [, section = ''] =
      /\n## A server with systemd\n([\s\S]*?)\n## /.exec(read('apps/api/docs/deployment.md')) ?? []
    const said = section.slice(0, section.indexOf('systemctl enable'))
    for (const name of names) expect(said).toContain(`\`${name}\``)
    expect(unit('environment').replace(toEdit, '')).not.toMatch(/\.example\b/)
  })

  test('the wrapper command is valid shell', () => {
    expect(() => runSync(['sh', '-n', join(root, deploy, 'systemd/saleproof')], { cwd: root })).not.toThrow()
  })
})

/** A port that is free now: a health check has to know it before the service starts. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

test('the commands of the units run, and health checks and probes see the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-deployed-'))
  try {
    const port = await freePort()
    const env = {
      PORT: port,
      DATABASE_URL: `file:${join(folder, 'saleproof.db')}`,
      METRICS_TOKEN: 'm'.repeat(16),
    }
    /** The command lines of a unit, with the paths of this machine. */
    const commands = (name: string) =>
      values(unit(name), 'ExecStart').map((line) =>
        line
          .replaceAll('/usr/bin/node', process.execPath)
          .replaceAll('/opt/saleproof/node_modules/@saleproof/api', join(root, 'apps/api'))
          .replaceAll('/var/backups/saleproof', folder)
          .replaceAll('%%', '%'),
      )
    const health = () => run([process.execPath, join(root, deploy, 'healthcheck.mjs')], { cwd: folder, env })
    expect(await health()).toMatchObject({ code: 1 })

    const [start = ''] = commands('saleproof.service')
    const server = await serve(['sh', '-c', `exec ${start}`], { cwd: folder, env })
    try {
      expect(await health()).toMatchObject({ code: 0, stderr: '' })
      for (const probe of probes)
        expect((await fetch(`${server.url}${probe?.httpGet.path}`)).status).toBe(200)
      const outdated = join(folder, '2020-01-01T000000.backup')
      writeFileSync(outdated, '')
      utimesSync(outdated, 0, 0)
      for (const command of commands('saleproof-backup.service'))
        expect(await run(['sh', '-c', command], { cwd: folder, env })).toMatchObject({ code: 0 })
      expect(readdirSync(folder).filter((file) => file.endsWith('.backup'))).toEqual([
        expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}\.backup$/),
      ])
      expect(existsSync(outdated)).toBe(false)
    } finally {
      expect(await server.stop()).toBe(0)
    }
    expect(await health()).toMatchObject({ code: 1 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
