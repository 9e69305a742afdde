import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clone, git, install, snapshot } from '@saleproof/process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fences } from './markdown.ts'
import { read, root } from './repository.ts'

/** The most files that each changes in each folder, tests and what its commands write aside. */
const limits: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'add-an-operation': { 'packages/schema/': 2, 'apps/api/': 4, 'packages/sdk/': 2 },
  'add-an-endpoint': { 'packages/schema/': 1, 'apps/api/src/': 1 },
  'add-a-field': { '': 10, 'apps/api/': 4 },
}
const names = Object.keys(limits)

const patchOf = (name: string) => join(root, `tooling/checks/examples/${name}.patch`)

const temporary = mkdtempSync(join(tmpdir(), 'saleproof-example-'))
const copy = join(temporary, 'clone')
beforeAll(() => {
  clone(root, { ref: snapshot(root), folder: copy })
  install(copy)
})
afterAll(() => rmSync(temporary, { recursive: true }))

test.each(names)('%s changes few files', (name) => {
  const numbers = git(['apply', '--numstat', patchOf(name)], root).split('\n')
  const changed = numbers
    .map((line) => line.split('\t')[2] ?? '')
    .filter((file) => !file.endsWith('.test.ts'))
  for (const [folder, limit] of Object.entries(limits[name]!)) {
    const count = changed.filter((file) => file.startsWith(folder)).length
    expect(count, folder).toBeGreaterThan(0)
    expect(count, folder).toBeLessThanOrEqual(limit)
  }
})

function run(command: string, folder = '') {
  const { status, stdout, stderr } = spawnSync('pnpm', ['-s', ...command.split(' ')], {
    cwd: join(copy, folder),
    encoding: 'utf8',
    env: { ...process.env, SALEPROOF_TEST_SOURCE: '1' },
  })
  const output = stdout + stderr
  expect({ status, output }, output).toMatchObject({ status: 0 })
  return output
}

const vitest = (folder: string, projects: readonly string[], files: readonly string[]) =>
  run(['exec vitest run', ...projects.map((name) => `--project ${name}`), ...files].join(' '), folder)

// One after the other in one copy: each for itself would take three times as long.
test('all of them leave every type right, and their tests pass', { retry: 0, timeout: 300_000 }, () => {
  for (const name of names) {
    git(['apply', patchOf(name)], copy)
    const [shell] = fences(read(`tooling/checks/examples/${name}.md`).replaceAll(/^ {3}/gm, ''))
    for (const command of shell?.body.trimEnd().split('\n') ?? []) run(command.replace('pnpm ', ''))
  }
  expect(run('exec tsc -b')).toBe('')
  vitest('packages/schema', [], ['src/messages/failure-message.test.ts', 'src/records/records.test.ts'])
  // With the fast path, without it and on PostgreSQL.
  vitest(
    'apps/api',
    ['units', 'service', 'prisma', 'postgres'],
    [
      'src/import-export/documentation.test.ts',
      'test/api/get-purchase.test.ts',
      'test/api/release-notes.test.ts',
      'test/service/console-count-sales.test.ts',
      'test/service/console-endpoints.test.ts',
    ],
  )
  // The contract has the field; the operation is one more than it promises.
  vitest('apps/api', ['service'], ['test/service/contract.test.ts', '-t', 'records'])
})
