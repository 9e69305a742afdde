import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { readBeginning, spawnSaleproof } from '../support/process.ts'
import { codes, records } from '../support/records.ts'

// What the commands do is tested in this process, in test/commands and test/sqlite. Here each runs once as users run it.

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  home = await temporaryFolder()
})
afterAll(() => home.remove())

const account = ['--username', 'eve', '--email', 'eve@example.com']
interface UsedCommand {
  args: readonly string[]
  input?: string
  code?: number
  stdout: RegExp
  /** Whether it does with a server what others here do. */
  alike?: true
}

/** In this order: each finds what the ones before have made. */
const commands: readonly UsedCommand[] = [
  { args: ['--version'], stdout: /^\d+\.\d+\.\d+\n$/, alike: true },
  { args: ['--help'], stdout: /^Usage: saleproof /, alike: true },
  { args: ['migrate'], stdout: /^$/ },
  { args: ['import', '-'], input: ndjson(records), stdout: /^$/ },
  { args: ['export'], stdout: /^\{"type":"account"/ },
  { args: ['account', 'create', ...account], input: 'a long password', stdout: /^$/ },
  { args: ['account', 'password', 'eve'], input: 'another password', stdout: /^$/, alike: true },
  { args: ['workspace', 'create', '--owner', 'eve', '--slug', 'eves', '--name', 'Eve'], stdout: /^$/ },
  { args: ['key', 'create', '--workspace', 'eves'], stdout: /^sp_[0-9A-Za-z]{38}\n$/ },
  { args: ['key', 'list'], stdout: /^id +name/ },
  { args: ['key', 'show', 'AAAAAAAAAAAAAAAA'], code: 1, stdout: /^$/, alike: true },
  { args: ['key', 'revoke', 'AAAAAAAAAAAAAAAA'], code: 1, stdout: /^$/, alike: true },
  { args: ['account', 'list'], stdout: /^username +workspaces/, alike: true },
  { args: ['item', 'list'], stdout: /^id +workspace/, alike: true },
  { args: ['purchase', 'show'], input: codes.active, stdout: /^workspace +name +item/, alike: true },
  { args: ['item', 'remove', '102', '--with-purchases'], stdout: /^$/ },
  { args: ['account', 'remove', 'eve'], stdout: /^$/, alike: true },
  { args: ['audit', 'list'], stdout: /^number +at/ },
  { args: ['demo'], stdout: /^sp_[0-9A-Za-z]{38}\n$/ },
  { args: ['transfer'], code: 2, stdout: /^$/ },
  { args: ['secret', 'rotate'], code: onPostgres ? 2 : 0, stdout: /^$/ },
  // On a server they say that copies are its business.
  { args: ['backup', 'a.backup'], code: onPostgres ? 1 : 0, stdout: /^$/ },
  { args: ['restore', 'a.backup'], code: onPostgres ? 1 : 0, stdout: /^$/ },
  { args: ['doctor'], code: onPostgres ? 1 : 0, stdout: /database/ },
]

const used = commands.filter(({ alike }) => !(onPostgres && alike))

test.each(used.map((command) => [command.args.join(' '), command] as const))(
  'saleproof %s',
  async (_, { args, input, code = 0, stdout }) => {
    const done = await spawnSaleproof(args, { cwd: home.folder, ...(input !== undefined && { input }) })
    expect(done, done.stderr).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
    expect(done.stderr).not.toContain('failed unexpectedly')
  },
)

test('an export whose reader goes, as `head` does, ends without a word', async () => {
  const { folder: cwd, remove } = await temporaryFolder()
  onTestFinished(remove)
  // More than the system keeps between two processes.
  const sale = records.at(-1) as object
  const sales = Array.from({ length: 3000 }, (_, index) => ({
    ...sale,
    purchase_code: `one-of-many-${index}`,
  }))
  expect((await spawnSaleproof(['import', '-'], { cwd, input: ndjson([...records, ...sales]) })).code).toBe(0)
  const { code, stderr } = await readBeginning(['export'], { cwd })
  expect([code, stderr]).toEqual([1, ''])
})
