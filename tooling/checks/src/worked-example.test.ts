import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clone, git, install, snapshot } from '@saleproof/process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fences } from './markdown.ts'
import { read, root } from './repository.ts'

interface Example {
  name: string
  /** The most files that it changes in each folder, tests and what its commands write aside. */
  limits: Readonly<Record<string, number>>
  /** The test that it adds and those that compare documents, and where they run. */
  tests: readonly string[]
  /** The test of the schema, where it changes one. */
  schemaTest?: string
  projects: readonly string[]
}

const examples: Example[] = [
  {
    name: 'add-an-operation',
    limits: { 'packages/schema/': 2, 'apps/api/': 4, 'packages/sdk/': 2 },
    tests: ['test/api/get-purchase.test.ts'],
    schemaTest: 'src/messages/failure-message.test.ts',
    projects: ['service'],
  },
  {
    name: 'add-an-endpoint',
    limits: { 'packages/schema/': 1, 'apps/api/src/': 1 },
    tests: ['test/service/console-count-sales.test.ts', 'test/service/console-endpoints.test.ts'],
    projects: ['service'],
  },
  {
    name: 'add-a-field',
    limits: { '': 10, 'apps/api/': 4 },
    tests: [
      'test/api/release-notes.test.ts',
      'test/service/contract.test.ts',
      'src/import-export/documentation.test.ts',
    ],
    schemaTest: 'src/records/records.test.ts',
    // With the fast path, without it and on PostgreSQL.
    projects: ['units', 'service', 'prisma', 'postgres'],
  },
]

const temporary = mkdtempSync(join(tmpdir(), 'saleproof-example-'))
const copy = join(temporary, 'clone')
beforeAll(() => {
  clone(root, { ref: snapshot(root), folder: copy })
  install(copy)
})
afterAll(() => rmSync(temporary, { recursive: true }))

describe.each(examples)('$name', ({ name, limits, tests, schemaTest, projects }) => {
  const patch = join(root, `tooling/checks/examples/${name}.patch`)
  afterAll(() => {
    git(['reset', '--quiet', '--hard'], copy)
    git(['clean', '--quiet', '-d', '--force'], copy)
  })

  function run(command: string, folder = '') {
    const { status, stdout, stderr } = spawnSync('pnpm', ['-s', ...command.split(' ')], {
      cwd: join(copy, folder),
      encoding: 'utf8',
      env: { ...process.env, SALEPROOF_TEST_SOURCE: '1' },
    })
    return { status, output: stdout + stderr }
  }

  test('changes few files', () => {
    const numbers = git(['apply', '--numstat', patch], root).split('\n')
    const changed = numbers
      .map((line) => line.split('\t')[2] ?? '')
      .filter((file) => !file.endsWith('.test.ts'))
    for (const [folder, limit] of Object.entries(limits)) {
      const count = changed.filter((file) => file.startsWith(folder)).length
      expect(count, folder).toBeGreaterThan(0)
      expect(count, folder).toBeLessThanOrEqual(limit)
    }
  })

  test('leaves every type right, and its test passes', () => {
    git(['apply', patch], copy)
    const [shell] = fences(read(`tooling/checks/examples/${name}.md`).replaceAll(/^ {3}/gm, ''))
    const commands = shell?.body.trimEnd().split('\n') ?? ['pnpm --filter @saleproof/api generate']
    for (const command of commands) {
      const written = run(command.replace('pnpm ', ''))
      expect(written, written.output).toMatchObject({ status: 0 })
    }
    expect(run('exec tsc -b')).toEqual({ status: 0, output: '' })
    const ofSchema = schemaTest && run(`exec vitest run ${schemaTest}`, 'packages/schema')
    if (ofSchema) expect(ofSchema, ofSchema.output).toMatchObject({ status: 0 })
    const chosen = projects.map((project) => `--project ${project}`).join(' ')
    const tested = run(`exec vitest run ${chosen} ${tests.join(' ')}`, 'apps/api')
    expect(tested, tested.output).toMatchObject({ status: 0 })
  }, 300_000)
})
