import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrationsFolder } from '../../scripts/prisma-schema.ts'
import { tables } from '../../src/maintenance/transfer/tables.ts'
import { transferToPostgres } from '../../src/maintenance/transfer/to-postgresql.ts'
import { send } from '../support/client.ts'
import { ndjson } from '../support/harness.ts'
import { spawnCommand } from '../support/process.ts'
import { records } from '../support/records.ts'
import { answersIn, emptyPlaces, type Places, secret, usedDeployment } from './deployments.ts'

interface Moved {
  table: string
  rows: number
}

async function transfer({ done }: Places, from: string, to: string): Promise<Moved[]> {
  return JSON.parse((await done(['transfer', '--from', from, '--json'], { DATABASE_URL: to })).stdout)
}

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('SET datestyle = iso')
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The tables of a file. */
function tablesIn(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const names = database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all()
  database.close()
  return names
}

type Row = Readonly<Record<string, unknown>>

function inOneForm(value: unknown) {
  if (value instanceof Date) return String(value.getTime())
  if (Buffer.isBuffer(value)) return value.toString('hex')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(typeof value === 'boolean' ? +value : value)
}

/** Rows as text, in one form and order for both databases; the file alone says that it was transferred. */
const texts = (rows: readonly Row[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.keys(row)
          .filter((name) => name !== 'transferredTo')
          .sort()
          .map((name) => [name, inOneForm(row[name])]),
      ),
    )
    .sort()

/** The rows of each table of a file. */
function rowsIn(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const found = tablesIn(file).map((name): [string, string[]] => [
    name,
    texts(database.prepare<[], Row>(`SELECT * FROM "${name}"`).all()),
  ])
  database.close()
  return found.filter(([name]) => name !== '_prisma_migrations')
}

const exported = async ({ done }: Places, DATABASE_URL: string) =>
  (await done(['export'], { DATABASE_URL })).stdout

/** The columns of a file that hold a timestamp as anything but an integer. */
function otherTimestamps(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const columns = database
    .prepare<[], { path: string; query: string }>(
      `SELECT format('%s.%s', t.name, c.name) AS path,
         format('SELECT count(*) FROM "%w" WHERE typeof("%w") NOT IN (''integer'', ''null'')', t.name, c.name) AS query
       FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.schema = 'main' AND c.type = 'DATETIME'`,
    )
    .all()
  const found = columns.filter(({ query }) => database.prepare(query).pluck().get() !== 0)
  database.close()
  expect(columns.length).toBeGreaterThan(10)
  return found.map(({ path }) => path)
}

test('from a file to PostgreSQL: every row and every answer is the same', async () => {
  const places = await emptyPlaces()
  const { folder, url, done, fileUrl } = places
  const { answers } = await usedDeployment(places)
  expect(answers.filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(20)
  const listKeys = async (DATABASE_URL: string) =>
    (await done(['signing-key', 'list', '--workspace', 'ada-studio'], { DATABASE_URL })).stdout
  const signingKeys = await listKeys(fileUrl())
  const before = await exported(places, fileUrl())
  const moved = await transfer(places, fileUrl(), url)
  expect(moved.filter(({ rows }) => rows === 0)).toEqual([])
  for (const name of ['test.db', 'test.db.usage'])
    for (const [table, rows] of rowsIn(join(folder, name)))
      expect([table, texts(await ask<Row>(url, `SELECT * FROM "${table}"`))]).toEqual([table, rows])
  expect(otherTimestamps(join(folder, 'test.db'))).toEqual([])
  expect(await answersIn(places, url)).toEqual(answers)
  expect(await listKeys(url)).toBe(signingKeys)
  expect(await exported(places, url)).toBe(before)
  const [log] = await ask<{ subject: string }>(
    url,
    `SELECT "subject" FROM "AuditEntry" WHERE "action" = 'transfer' ORDER BY "number"`,
  )
  expect(log).toEqual({ subject: 'postgresql' })
  // The triggers are at work again.
  const catalogue = 'SELECT sum("catalogue")::text FROM "Revision"'
  const sum = await ask(url, catalogue)
  await ask(url, `UPDATE "Item" SET "name" = 'Other' WHERE "id" = 101`)
  expect(await ask(url, catalogue)).not.toEqual(sum)
  // So are the sequences: an id that was used is not used again.
  const ids = 'SELECT max("id") AS last FROM "Workspace"'
  const [{ last: lastId } = { last: 0 }] = await ask<{ last: number }>(url, ids)
  await done(['workspace', 'create', '--owner', 'ada', '--slug', 'later', '--name', 'Later'], {
    DATABASE_URL: url,
  })
  expect(await ask(url, ids)).toEqual([{ last: lastId + 1 }])
  // No table is forgotten.
  const found = ['test.db', 'test.db.usage'].flatMap((name) => tablesIn(join(folder, name)))
  expect(found.sort()).toEqual([...tables, '_prisma_migrations'].sort())
})

test('the way back is an export and an import: every answer is the same', async () => {
  const places = await emptyPlaces()
  const { url, done, fileUrl } = places
  const { answers } = await usedDeployment(places)
  await transfer(places, fileUrl(), url)
  await done(['import', '-'], { DATABASE_URL: fileUrl('back.db') }, await exported(places, url))
  expect(await answersIn(places, fileUrl('back.db'))).toEqual(answers)
})

async function refused({ run }: Places, from: string, env: Record<string, string>) {
  const { code, stdout, stderr } = await run(['transfer', '--from', from], env)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return `${code} ${stderr.trim()}`
}

test('what cannot be transferred is one clear line', async () => {
  const places = await emptyPlaces()
  const { folder, url, fileUrl, done, change, serving } = places
  const file = fileUrl()
  const to = (target: string, env = {}) => refused(places, file, { DATABASE_URL: target, ...env })
  for (const [from, target] of [
    [file, 'file:b.db'],
    [url, url],
    [url, file],
  ])
    expect(await refused(places, from!, { DATABASE_URL: target! })).toMatch(
      /^2 transfer moves from a file to the PostgreSQL database/,
    )
  expect(await to(url)).toMatch(/^1 there is no database .*test\.db$/)
  await done(['import', '-'], { DATABASE_URL: file }, ndjson(records))
  expect(await to('postgresql://u:canary@127.0.0.1:1/x')).toMatch(
    /^1 nothing listens where DATABASE_URL says/,
  )
  expect(await to(url.replace(/test_\w+$/, 'missing'))).toMatch(
    /^1 there is no database of the name that DATABASE_URL gives/,
  )
  expect(await to(url, { SALEPROOF_SECRET: 'x'.repeat(40) })).toMatch(/^1 SALEPROOF_SECRET is not the one/)
  const server = await serving({ DATABASE_URL: file })
  expect(await to(url)).toMatch(/^1 the database .* is in use: stop/)
  server.signal('SIGTERM')
  await server.done
  // Nothing that the service would store.
  change(`UPDATE Item SET name = 'a' || char(0) || 'b' WHERE id = 102`)
  expect(await to(url)).toMatch(/^1 a row of "Item" .*\(22021\).* nothing was transferred$/)
  change(`UPDATE Item SET name = 'ab', publishedAt = '2026-05-01 10:00:00' WHERE id = 102`)
  expect(await to(url)).toMatch(/^1 a row of "Item" .*\(22007\)/)
  change('UPDATE Item SET publishedAt = 1714521600000 WHERE id = 102')
  expect(await ask(url, 'SELECT 1 FROM "Account"')).toEqual([])
  await transfer(places, file, url)
  expect(await to(url)).toMatch(/^1 this database was transferred to PostgreSQL/)
  await done(['import', '-'], { DATABASE_URL: fileUrl('other.db') }, ndjson(records))
  const other = () => refused(places, fileUrl('other.db'), { DATABASE_URL: url })
  expect(await other()).toMatch(/^1 the database holds a deployment already/)
  const again = await serving({ DATABASE_URL: url })
  await send(again.url, { path: '/readyz' })
  expect(await other()).toMatch(/^1 the database is in use \(\d+ connections of Saleproof\)/)
  again.signal('SIGTERM')
  await again.done
  const migrations = join(folder, 'migrations')
  cpSync(migrationsFolder('sqlite'), migrations, { recursive: true })
  cpSync(migrationsFolder('postgresql'), `${migrations}-postgresql`, { recursive: true })
  mkdirSync(`${migrations}-postgresql/29990101000000_next`)
  writeFileSync(`${migrations}-postgresql/29990101000000_next/migration.sql`, 'SELECT 1')
  const clock = () => new Date()
  const next = {
    databaseFile: join(folder, 'other.db'),
    databaseUrl: url,
    secret,
    migrations,
    clock,
  }
  await expect(transferToPostgres(next)).rejects.toThrow('the database lacks 1 migrations: give an empty one')
})

test('a file that was transferred is not used again', async () => {
  const places = await emptyPlaces()
  const { url, fileUrl, run, done } = places
  await done(['import', '-'], { DATABASE_URL: fileUrl() }, ndjson(records))
  const findings = async (DATABASE_URL: string) =>
    JSON.parse((await run(['doctor', '--json'], { DATABASE_URL })).stdout)
  const finding = expect.stringMatching(/^this database was transferred to PostgreSQL/)
  await transfer(places, fileUrl(), url)
  for (const args of [['serve'], ['export'], ['import', '-'], ['key', 'list']])
    expect(await run(args, { DATABASE_URL: fileUrl(), PORT: '0' })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^this database was transferred to PostgreSQL, [^\n]*: set DATABASE_URL to that one\n$/,
      ),
    })
  expect(await findings(fileUrl())).toContainEqual({
    check: 'database',
    state: 'problem',
    finding,
    advice: 'set DATABASE_URL to that one',
  })
  expect(await findings(url)).not.toContainEqual(expect.objectContaining({ finding }))
})

const purchases = Array.from({ length: 40_000 }, (_, index) => ({
  ...records.find((record) => (record as { type: string }).type === 'purchase'),
  purchase_code: `CODE-${index * 7919}-OF-A-LARGE-SHOP`,
}))

/** Kills a transfer as soon as a condition holds. */
async function killWhen({ folder, url, fileUrl }: Places, holds: () => boolean | Promise<boolean>) {
  const { pid, done } = await spawnCommand(['transfer', '--from', fileUrl()], {
    cwd: folder,
    env: { DATABASE_URL: url, SALEPROOF_SECRET: secret },
  })
  let ended = false
  void done.then(() => {
    ended = true
  })
  while (!ended && !(await holds())) await sleep(5)
  expect(ended).toBe(false)
  process.kill(pid, 'SIGKILL')
  await done
}

test('killed in the middle it leaves the target unused, and can be done again', async () => {
  const places = await emptyPlaces()
  const { url, fileUrl, done } = places
  await done(['import', '-'], { DATABASE_URL: fileUrl() }, ndjson([...records, ...purchases]))
  const isCopying = async () =>
    (
      await ask(
        url,
        `SELECT 1 FROM pg_stat_progress_copy WHERE relid = '"Purchase"'::regclass AND tuples_processed > 100`,
      ).catch(() => [])
    ).length > 0
  await killWhen(places, isCopying)
  for (const name of ['Account', 'Deployment', 'Purchase', 'AuditEntry'])
    expect(await ask(url, `SELECT 1 FROM "${name}" LIMIT 1`)).toEqual([])
  const there = await transfer(places, fileUrl(), url)
  const { rows } = there.find(({ table }) => table === 'Purchase')!
  expect(rows).toBeGreaterThan(40_000)
  // The first requests are planned with what is stored.
  const known = `SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'Purchase'`
  expect(await ask(url, known)).toEqual([{ rows }])
})
