import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { saleproof, serve } from '../support/command.ts'
import { changeIn, onPostgres } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { codes, otherKey, records, secretKey } from '../support/records.ts'

interface Listed {
  number: number
  at: string
  action: string
  actor: string
  workspace: string | null
  workspace_id: number | null
  subject: string | null
  name: string | null
}

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const run = (args: readonly string[], input?: string, cwd = home.folder) => saleproof(args, { cwd, input })

async function done(args: readonly string[], input?: string) {
  const result = await run(args, input)
  expect([result.code, result.code === 0 ? '' : result.stderr], args.join(' ')).toEqual([0, ''])
  return result
}

const load = (more: readonly object[]) => done(['import', '-'], ndjson(more))
const listed = async (...args: string[]): Promise<Listed[]> =>
  JSON.parse((await done(['audit', 'list', '--json', '--limit', '500', ...args])).stdout)
const summarize = ({ action, actor, workspace }: Listed) =>
  [action, actor, workspace].filter(Boolean).join(' ')
const since = async (number: number) => (await listed()).filter((entry) => entry.number > number)
const change = (sql: string) => changeIn(home, sql)

test('every command that touches keys or data is recorded, in order, without what it is about', async () => {
  await load(records)
  const keys = records.filter((record) => 'key' in record).length
  const first = await listed()
  expect(first[0]).toMatchObject({
    action: 'import',
    actor: 'cli',
    subject: expect.stringMatching(
      /^account 2\+0, workspace 4\+0, item \d+\+0, api_key \d+\+0, purchase \d+\+0$/,
    ),
  })
  expect(first.slice(1).map(({ action }) => action)).toEqual(Array(keys).fill('key.created'))
  for (const { workspace, name } of first.slice(1)) expect([workspace, name]).not.toContain(null)
  const from = first.at(-1)!.number

  const create = ['account', 'create', '--username', 'eve', '--email', 'eve@example.com']
  await done(create, 'a password of eve')
  await done(['account', 'password', 'eve'], 'another password')
  await done(['workspace', 'create', '--owner', 'eve', '--slug', 'eves', '--name', 'Eve'])
  const made = await done(['key', 'create', '--workspace', 'eves', '--name', 'shop'])
  const id = /key (\w{16}) /.exec(made.stderr)![1]!
  await done(['key', 'show', id])
  await done(['key', 'revoke', id])
  await done(['key', 'revoke', id])
  await done(['item', 'remove', '102', '--with-purchases'])
  await done(['export'])
  if (!onPostgres) await done(['backup', 'copy.backup'])
  await done(['account', 'remove', 'eve'])
  for (const args of [
    ['key', 'list'],
    ['migrate', '--status'],
  ])
    await done(args)
  const entries = await since(from)
  expect(entries.map(summarize)).toEqual([
    'account.created cli',
    'password.changed cli',
    'workspace.created cli eves',
    'key.created cli eves',
    'key.shown cli eves',
    'key.revoked cli eves',
    'item.removed cli ada-studio',
    'export cli',
    ...(onPostgres ? [] : ['backup cli']),
    'account.removed cli',
  ])
  expect(entries.map(({ subject }) => subject).slice(3, 7)).toEqual([id, id, id, '102'])
  for (const { at } of entries) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(600_000)
  const { stdout: table } = await done(['audit', 'list'])
  expect(table).toMatch(/^number +at +action +actor +workspace +subject +name\n1 /)
  const secrets = [made.stdout.trim(), secretKey, otherKey, ...Object.values(codes), '@example.com', 'eve\b']
  for (const secret of secrets) expect(JSON.stringify(await listed())).not.toMatch(new RegExp(secret))
})

test('what fails, is only tried or changes nothing is not recorded', async () => {
  await load(records)
  const from = (await listed()).at(-1)!.number
  await load(records)
  await done(
    ['import', '-', '--dry-run'],
    ndjson([{ type: 'workspace', slug: 'x', name: 'X', owner: 'ada' }]),
  )
  for (const args of [
    ['item', 'remove', '999'],
    ['item', 'remove', '101'],
    ['key', 'show', 'AAAAAAAAAAAAAAAA'],
    ['key', 'revoke', 'AAAAAAAAAAAAAAAA'],
    ['key', 'create', '--workspace', 'nowhere'],
    ['workspace', 'create', '--owner', 'ada', '--slug', 'ada-studio', '--name', 'again'],
    ['account', 'remove', 'nobody'],
  ])
    expect((await run(args)).code, args.join(' ')).toBe(1)
  expect(await since(from)).toEqual([])
})

test('an import records the keys that it makes and revokes, and the passwords that it sets', async () => {
  await load(records)
  const from = (await listed()).at(-1)!.number
  const key = (more: object) => ({ type: 'api_key', workspace: 'ada-studio', name: 'shop', ...more })
  const account = records.find((record) => 'username' in record && record.username === 'bob') as object
  await load([
    { ...account, password: 'a new password' },
    key({ key: 'a-key-of-a-shop-0123456789' }),
    key({ key: secretKey, name: 'production', revoked_at: '2026-01-01T00:00:00Z' }),
  ])
  const entries = await since(from)
  expect(entries.map(summarize)).toEqual([
    'import cli',
    'password.changed cli',
    'key.revoked cli ada-studio',
    'key.created cli ada-studio',
  ])
  expect(entries.map(({ name }) => name)).toEqual([null, 'bob', 'production', 'shop'])
  expect(entries[0]!.subject).toBe('account 0+1, api_key 1+1')
})

test('an import through the service is recorded as such, and one that is refused is not', async () => {
  await load(records)
  const from = (await listed()).at(-1)!.number
  const token = 'a-token-of-an-administrator'
  const service = await serve({ cwd: home.folder, env: { ADMIN_TOKEN: token } })
  const post = (lines: readonly object[]) =>
    send(service.url, {
      method: 'POST',
      path: '/admin/import',
      body: ndjson(lines),
      headers: { authorization: `Bearer ${token}` },
    })
  const made = { type: 'api_key', workspace: 'bob-works', name: 'new', key: 'a-key-of-another-shop-012345' }
  expect((await post([made])).status).toBe(200)
  expect((await post([{ ...made, workspace: 'nowhere' }])).status).toBe(422)
  await service.stop()
  expect((await since(from)).map(summarize)).toEqual([
    'import admin-import bob-works',
    'key.created admin-import bob-works',
  ])
})

test('a key is not shown when that cannot be recorded', async () => {
  await load(records)
  const rows = JSON.parse((await done(['key', 'list', '--json'])).stdout) as { id: string }[]
  await change(
    onPostgres
      ? 'ALTER TABLE "AuditEntry" ADD CHECK (false) NOT VALID'
      : `CREATE TRIGGER refuse BEFORE INSERT ON AuditEntry BEGIN SELECT RAISE(ABORT, 'no'); END`,
  )
  for (const args of [['key', 'show', rows[0]!.id], ['export']])
    expect(await run(args)).toMatchObject({ code: 1, stdout: '' })
})

test('a list has its end, its length and its place', async () => {
  await load(records)
  const all = await listed()
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
  expect(await listed('--limit', '3')).toEqual(all.slice(-3))
  expect(await listed('--limit', '2', '--before', '4')).toEqual(all.slice(1, 3))
  expect(await listed('--before', '1')).toEqual([])
  for (const bad of [
    ['--limit', '0'],
    ['--limit', 'x'],
    ['--before', '-1'],
  ])
    expect((await run(['audit', 'list', ...bad])).code).toBe(2)
})
