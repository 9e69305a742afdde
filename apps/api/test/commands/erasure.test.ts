import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rewriteTable } from '../../src/db/postgres/rewrite-table.ts'
import { saleproof, serve } from '../support/command.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { changeIn, databaseUrlIn, onPostgres, rowsIn } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { codes, records } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
  expect((await withInput(ndjson(withPasswords), 'import', '-')).code).toBe(0)
})
afterEach(() => home.remove())

const withInput = (input: string, ...args: string[]) => saleproof(args, { cwd: home.folder, input })
const run = (...args: string[]) => withInput('', ...args)

/** Everything that the database keeps on its disk: the file, its log, what is beside it; or the files of the tables. */
async function bytesOnDisk(...tables: string[]): Promise<[name: string, bytes: Buffer][]> {
  if (!onPostgres) {
    const folder = join(home.folder, 'data')
    return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])
  }
  await changeIn(home, 'CHECKPOINT')
  const files = tables.map(async (name): Promise<[string, Buffer]> => {
    const [row] = await rowsIn(
      home.folder,
      `SELECT encode(pg_read_binary_file(pg_relation_filepath('"${name}"')), 'hex') AS "bytes"`,
    )
    return [name, Buffer.from(String(row!.bytes), 'hex')]
  })
  return Promise.all(files)
}

const filesWith = async (text: string, ...tables: string[]) =>
  (await bytesOnDisk(...tables)).filter(([, bytes]) => bytes.includes(text)).map(([name]) => name)

/** Rewrites tables as the command says, once no transaction of the server's other databases is older than what it removed. */
async function rewrite(...tables: string[]) {
  const pool = new pg.Pool({ connectionString: await databaseUrlIn(home.folder), max: 1 })
  for (const table of tables) await vi.waitFor(() => rewriteTable(pool, table), { timeout: 60_000 })
  await pool.end()
}

/** Reads the database until it is told to end, as a backup or a shell does. */
async function openReader(): Promise<() => Promise<void>> {
  if (!onPostgres) {
    const file = new Sqlite(join(home.folder, 'data/saleproof.db'), { readonly: true })
    file.exec('BEGIN')
    file.prepare('SELECT count(*) FROM Account').get()
    return async () => void file.close()
  }
  const client = new pg.Client(await databaseUrlIn(home.folder))
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  // Reads another table: it holds no lock that anything waits for.
  await client.query('SELECT count(*) FROM "Deployment"')
  return () => client.end()
}

test('what the console overwrote is gone from the disk with the account', async () => {
  const names = ['canary-of-the-first-name', 'canary-of-the-second', 'canary-of-the-third']
  const service = await serve({ cwd: home.folder })
  const ada = createBrowser(service.url)
  await ada.signIn('ada')
  for (const name of names)
    await ada.ask(
      'updateAccount',
      {},
      {
        name: { firstname: name, lastname: name.repeat(30), full_name: name },
        email: `${name}@example.com`,
        current_password: password,
      },
    )
  expect(await filesWith(names[0]!, 'Account')).not.toEqual([])
  const { code, stderr } = await run('account', 'remove', 'ada')
  expect([code, stderr]).toEqual([0, expect.stringContaining('erased account ada')])
  for (const name of names) expect([name, await filesWith(name, 'Account')]).toEqual([name, []])
  expect(await filesWith('ada@example.com', 'Account')).toEqual([])
  await service.stop()
})

test('an account is not said to be erased while another program reads what it was', async () => {
  const endReading = await openReader()
  const { code, stderr } = await run('account', 'remove', 'ada')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/another|transaction/)])
  await endReading()
  if (onPostgres) {
    // The row is overwritten by then; the message says how its bytes are.
    expect(stderr).toContain('VACUUM FULL "Account"')
    await rewrite('Account')
  } else {
    expect(stderr).toContain('nothing was removed')
    expect((await run('account', 'remove', 'ada')).code).toBe(0)
  }
  expect(await filesWith('ada@example.com', 'Account')).toEqual([])
})

const entries = () =>
  rowsIn(
    home.folder,
    `SELECT "action", "subject", "actor" FROM "AuditEntry" WHERE "action" LIKE 'purchase.%'`,
  )

test('a purchase is removed to the last byte, and its removal recorded without its code', async () => {
  const refunded = records.find(
    (record) => 'purchase_code' in record && record.purchase_code === codes.refunded,
  )
  await withInput(ndjson([{ ...refunded, state: 'revoked' }]), 'import', '-')
  if (onPostgres) expect(await filesWith(codes.refunded, 'PurchaseChange')).not.toEqual([])
  expect(await filesWith(codes.refunded, 'Purchase')).not.toEqual([])
  const { code, stderr } = await withInput(
    `${codes.refunded}\n`,
    'purchase',
    'remove',
    '--workspace',
    'ada-studio',
  )
  expect([code, stderr]).toEqual([0, expect.stringContaining('removed the purchase')])
  expect(stderr).not.toContain(codes.refunded)
  expect(await rowsIn(home.folder, `SELECT 1 FROM "Purchase" WHERE "code" = $1`, codes.refunded)).toEqual([])
  if (onPostgres) await rewrite(...stderr.match(/(?<=")Purchase\w*(?=")/g)!)
  expect(await filesWith(codes.refunded, 'Purchase', 'PurchaseChange')).toEqual([])
  expect(await filesWith(codes.active, 'Purchase')).not.toEqual([])
  const [entry] = await entries()
  expect(entry).toMatchObject({ action: 'purchase.removed', actor: 'cli' })
  expect(JSON.stringify(entry)).not.toContain(codes.refunded)
})

test('a customer is erased to the last byte, and the purchases stay', async () => {
  const [email, name, order, note] = [
    'buyer-canary@example.com',
    'Canary Buyer',
    'canary-order-77',
    'canary-note',
  ]
  const sold = records.filter(
    (record) => 'purchase_code' in record && 'item' in record && record.item === 101,
  )
  const customer = { customer_name: name, customer_email: email, order, note: `said: ${note}` }
  expect((await withInput(ndjson(sold.map((sale) => ({ ...sale, ...customer }))), 'import', '-')).code).toBe(
    0,
  )
  const tables = ['Purchase', 'PurchaseWord', 'PurchaseChange', 'AuditEntry']
  const texts = [email, name, order, note, 'buyer', name.toLowerCase().split(' ')[0]!]
  for (const text of texts) expect([text, await filesWith(text, ...tables)]).not.toEqual([text, []])
  const { code, stderr } = await run('customer', 'erase', email.toUpperCase())
  expect([code, stderr]).toEqual([0, expect.stringContaining(`from ${sold.length} purchases`)])
  expect(stderr.toLowerCase()).not.toContain(email)
  if (onPostgres) await rewrite(...stderr.match(/(?<=")Purchase\w*(?=")/g)!)
  for (const text of texts) expect([text, await filesWith(text, ...tables)]).toEqual([text, []])
  expect(await filesWith(codes.active, 'Purchase')).not.toEqual([])
  expect((await run('customer', 'erase', email)).code).toBe(1)
})

test.skipIf(onPostgres)('no page of a file keeps a copy of what a command erased', async () => {
  const [item] = await rowsIn(home.folder, 'SELECT "workspaceId" FROM "Item" WHERE "id" = 101')
  // Stored one by one in no order, so that SQLite moves rows between its pages.
  const sales = Array.from({ length: 200 }, (_, index) => {
    const number = (index * 6007) % 10_007
    return `INSERT INTO "Purchase" ("workspaceId", "code", "itemId", "licenseType", "price", "currency", "downloaded", "date", "state", "customerEmail", "note")
      VALUES (${item!.workspaceId}, 'sold-${number}', 101, 'Regular', 1999, 'USD', 0, 1700000000000, 'active',
        'canary@example.com', 'canary-${'x'.repeat(number % 150)}')`
  })
  await changeIn(home, sales.join(';'))
  // To rewrite the file frees these pages: where nothing was removed, other writers do not wait for that.
  await changeIn(home, 'CREATE TABLE "Spare" AS SELECT zeroblob(100000); DROP TABLE "Spare"')
  const isRewritten = async () =>
    (await rowsIn(home.folder, 'PRAGMA freelist_count'))[0]!.freelist_count === 0
  expect((await run('customer', 'erase', 'canarry@example.com')).code).toBe(1)
  expect(await isRewritten()).toBe(false)
  expect((await run('customer', 'erase', 'canary@example.com')).stderr).toContain('from 200 purchases')
  expect(await isRewritten()).toBe(true)
  expect(await filesWith('canary')).toEqual([])
})

test.each<[string, string, string, string?]>([
  ['a code of no purchase', 'no-such-code-at-all', 'ada-studio'],
  ['a code of another workspace', codes.active, 'bob-works'],
  [
    'a workspace that is none',
    codes.active,
    'nowhere',
    'there is no workspace nowhere: "workspace list" shows them',
  ],
  ['no code', '', 'ada-studio'],
])('%s removes nothing', async (_, code, workspace, said) => {
  const count = async () => (await rowsIn(home.folder, 'SELECT count(*) AS "n" FROM "Purchase"'))[0]!.n
  const before = await count()
  const result = await withInput(code, 'purchase', 'remove', '--workspace', workspace)
  const message = said ?? `workspace ${workspace} has no purchase with that code`
  expect([result.code, result.stderr]).toEqual([1, `${message}\n`])
  if (code) expect(result.stderr).not.toContain(code)
  expect(await count()).toBe(before)
  expect(await entries()).toEqual([])
})
