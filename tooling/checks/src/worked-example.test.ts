import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from './repository.ts'
import { applyHunks, commandsOf, createInstalledCopy, hunksOf } from './worked-example.ts'

interface Example {
  document: string
  /** The most files that it changes in each folder, tests and what its commands write aside. */
  limits: Readonly<Record<string, number>>
  /** The test that it adds and those that compare documents, and where they run. */
  tests: readonly string[]
  /** The test of the schema that it changes. */
  schemaTest: string
  projects: readonly string[]
}

const examples: Example[] = [
  {
    document: 'tooling/checks/examples/add-an-operation.md',
    limits: { 'packages/schema/': 2, 'apps/api/': 4, 'packages/sdk/': 2 },
    tests: ['test/api/get-purchase.test.ts'],
    schemaTest: 'src/messages/failure-message.test.ts',
    projects: ['service'],
  },
  {
    document: 'tooling/checks/examples/add-a-field.md',
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

describe.each(examples)('$document', ({ document, limits, tests, schemaTest, projects }) => {
  const hunks = hunksOf(read(document))
  let copy: ReturnType<typeof createInstalledCopy>
  beforeAll(() => {
    copy = createInstalledCopy()
  })
  afterAll(() => copy.remove())

  function run(command: string, folder = '') {
    const { status, stdout, stderr } = spawnSync('pnpm', ['-s', ...command.split(' ')], {
      cwd: join(copy.folder, folder),
      encoding: 'utf8',
      // The copy shares what is installed: an install in it would lead the links of this repository there.
      env: { ...process.env, SALEPROOF_TEST_SOURCE: '1', pnpm_config_verify_deps_before_run: 'false' },
    })
    return { status, output: stdout + stderr }
  }

  test('changes few files', () => {
    const changed = [...new Set(hunks.map(({ file }) => file))].filter((file) => !file.endsWith('.test.ts'))
    for (const [folder, limit] of Object.entries(limits)) {
      const count = changed.filter((file) => file.startsWith(folder)).length
      expect(count, folder).toBeGreaterThan(0)
      expect(count, folder).toBeLessThanOrEqual(limit)
    }
  })

  test('leaves every type right, and its test passes', () => {
    applyHunks(copy.folder, hunks)
    for (const command of commandsOf(read(document))) {
      const written = run(command.replace('pnpm ', ''))
      expect(written, written.output).toMatchObject({ status: 0 })
    }
    expect(run('exec tsc -b')).toEqual({ status: 0, output: '' })
    const ofSchema = run(`exec vitest run ${schemaTest}`, 'packages/schema')
    expect(ofSchema, ofSchema.output).toMatchObject({ status: 0 })
    const chosen = projects.map((project) => `--project ${project}`).join(' ')
    const tested = run(`exec vitest run ${chosen} ${tests.join(' ')}`, 'apps/api')
    expect(tested, tested.output).toMatchObject({ status: 0 })
  }, 300_000)
})

test('an example whose lines are gone fails', () => {
  const hunk = { file: 'README.md', before: 'a line that no README has\n', after: '' }
  expect(() => applyHunks('/nowhere', [hunk])).toThrow('does not have these lines once')
})
