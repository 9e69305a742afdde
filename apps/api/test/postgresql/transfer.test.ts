import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
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
import { records, secretKey } from '../support/records.ts'
import { answersIn, emptyPlaces, type Places, secret, usedDeployment } from './deployments.ts'

interface Moved {
  table: string
  rows: number
  sha256: string
}

async function transfer({ done }: Places, from: string, to: string): Promise<Moved[]> {
  return JSON.parse((await done(['transfer', '--from', from, '--to', to, '--json'])).stdout)
}

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The transfer itself is recorded before it is done, so that the second one moves one entry more. */
const butTheLog = (moved: readonly Moved[]) => moved.filter(({ table }) => !table.startsWith('Audit'))
const entries = (moved: readonly Moved[]) => moved.find(({ table }) => table === 'AuditEntry')!.rows

/** What a file is made of, beside its rows. */
function schemaOf(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const made = database
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`,
    )
    .all()
  database.close()
  return made
}

test('from a file to PostgreSQL and back: every row and every answer is the same', async () => {
  const places = await emptyPlaces()
  const { folder, url, done, fileUrl } = places
  const { answers } = await usedDeployment(places)
  expect(answers.filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(20)
  const there = await transfer(places, fileUrl(), url)
  expect(there.filter(({ rows }) => rows === 0)).toEqual([])
  await done(['audit', 'verify'], { DATABASE_URL: url })
  const back = await transfer(places, url, fileUrl('back.db'))
  expect(butTheLog(back)).toEqual(butTheLog(there))
  expect(entries(back)).toBe(entries(there) + 1)
  await done(['audit', 'verify'], { DATABASE_URL: fileUrl('back.db') })
  for (const name of ['back.db', 'back.db.traffic'])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.includes('transfer'))).toEqual([])
  await done(['reopen'], { DATABASE_URL: url })
  for (const database of [url, fileUrl('back.db')]) expect(await answersIn(places, database)).toEqual(answers)
  const [log] = await ask<{ subject: string }>(
    url,
    `SELECT "subject" FROM "AuditEntry" WHERE "action" = 'transfer' ORDER BY "number"`,
  )
  expect(log).toEqual({ subject: 'postgresql' })
  // The triggers are at work again, and a file is made of what it was made of.
  const catalogue = 'SELECT sum("catalogue")::text FROM "Revision"'
  const before = await ask(url, catalogue)
  await ask(url, `UPDATE "Item" SET "name" = 'Other' WHERE "id" = 101`)
  expect(await ask(url, catalogue)).not.toEqual(before)
  await expect(ask(url, 'DELETE FROM "AuditEntry"')).rejects.toThrow('the audit log only grows')
  const [main, traffic] = ['test.db', 'test.db.traffic'].map((name) => schemaOf(join(folder, name)))
  expect(schemaOf(join(folder, 'back.db'))).toEqual(main)
  // No table is forgotten.
  const found = [...main!, ...traffic!].filter(({ type }) => type === 'table').map(({ name }) => name)
  expect(found.sort()).toEqual([...tables.map(({ name }) => name), '_prisma_migrations'].sort())
})

async function refused({ run }: Places, args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run(['transfer', ...args], env)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return `${code} ${stderr.trim()}`
}

test('what cannot be transferred is one clear line', async () => {
  const places = await emptyPlaces()
  const { folder, url, fileUrl, done, change, serving } = places
  const file = fileUrl()
  const to = (target: string, env = {}) => refused(places, ['--from', file, '--to', target], env)
  expect(await refused(places, [])).toMatch(/^2 transfer takes --from, --to or both/)
  expect(await refused(places, ['--from', file, '--to', 'file:b.db'])).toMatch(/^2 both are files/)
  expect(await refused(places, ['--from', url, '--to', url])).toMatch(/^2 both are PostgreSQL/)
  expect(await refused(places, ['--from', 'mysql://x', '--to', url])).toMatch(/^2 --from takes the path/)
  expect(await to(url)).toMatch(/^1 there is no database .*test\.db$/)
  expect(await refused(places, ['--from', url, '--to', file])).toBe(
    '1 the database is empty: it holds no deployment',
  )
  await done(['import', '-'], { DATABASE_URL: file }, ndjson(records))
  expect(await to('postgresql://u:canary@127.0.0.1:1/x')).toMatch(/^1 nothing listens where --to says/)
  expect(await to(url.replace(/test_\w+$/, 'missing'))).toMatch(
    /^1 there is no database of the name that --to gives/,
  )
  expect(await to(url, { SALEPROOF_SECRET: 'x'.repeat(40) })).toMatch(/^1 SALEPROOF_SECRET is not the one/)
  const server = await serving({ DATABASE_URL: file })
  expect(await to(url)).toMatch(/^1 the database .* is in use: stop/)
  server.signal('SIGTERM')
  await server.done
  // U+0000 is nothing that the service would take.
  change(`UPDATE Item SET name = 'a' || char(0) || 'b' WHERE id = 102`)
  expect(await to(url)).toMatch(
    /^1 "name" of the row of "Item" with the rowid \d+ holds U\+0000, .* nothing was transferred$/,
  )
  change(`UPDATE Item SET name = 'ab', publishedAt = 'some day' WHERE id = 102`)
  expect(await to(url)).toMatch(
    /^1 row 2, in the order of the key, of "Item" is none .*\(22007, publishedAt\)/,
  )
  // What PostgreSQL takes for something else is seen when it is read again.
  change(`UPDATE Item SET publishedAt = 'yesterday' WHERE id = 102`)
  expect(await to(url)).toMatch(/^1 the rows of "Item" would not be the same/)
  change(`UPDATE Item SET publishedAt = '2024-05-01T00:00:00.000+00:00' WHERE id = 102`)
  expect(await ask(url, 'SELECT 1 FROM "Account"')).toEqual([])
  await transfer(places, file, url)
  expect(await to(url)).toMatch(/^1 this database was transferred to PostgreSQL/)
  await done(['reopen'], { DATABASE_URL: file })
  expect(await to(url)).toMatch(/^1 the database holds a deployment already/)
  expect(await refused(places, ['--from', url, '--to', file])).toMatch(
    /^1 .*test\.db and .*test\.db\.traffic are there already/,
  )
  const back = ['--from', url, '--to', 'file:./other/back.db']
  const again = await serving({ DATABASE_URL: url })
  await send(again.url, { path: '/readyz' })
  expect(await refused(places, back)).toMatch(/^1 the database is in use \(\d+ connections of Saleproof\)/)
  again.signal('SIGTERM')
  await again.done
  expect(await refused(places, back, { SALEPROOF_SECRET: '' })).toMatch(/^1 SALEPROOF_SECRET has to be set/)
  expect(await refused(places, back, { SALEPROOF_SECRET: 'x'.repeat(40) })).toMatch(
    /^1 SALEPROOF_SECRET is not/,
  )
  const migrations = join(folder, 'migrations')
  cpSync(migrationsFolder('sqlite'), migrations, { recursive: true })
  cpSync(migrationsFolder('postgresql'), `${migrations}-postgresql`, { recursive: true })
  mkdirSync(`${migrations}-postgresql/29990101000000_next`)
  writeFileSync(`${migrations}-postgresql/29990101000000_next/migration.sql`, 'SELECT 1')
  const clock = () => new Date()
  const next = { databaseFile: join(folder, 'test.db'), databaseUrl: url, secret, migrations, clock }
  await expect(transferToPostgres(next)).rejects.toThrow('the database lacks 1 migrations: give an empty one')
  expect(readdirSync(join(folder, 'other')).filter((name) => !name.endsWith('.lock'))).toEqual([])
})

test('without SALEPROOF_SECRET the one beside the file is taken, and DATABASE_URL names what is not named', async () => {
  const { url, fileUrl, done, folder } = await emptyPlaces()
  await done(['import', '-'], { DATABASE_URL: fileUrl(), SALEPROOF_SECRET: '' }, ndjson(records))
  const { stderr } = await done(['transfer', '--to', url], { DATABASE_URL: fileUrl(), SALEPROOF_SECRET: '' })
  expect(stderr).toContain(`set SALEPROOF_SECRET to the content of ${join(folder, 'test.db.secret')}`)
})

test('a database that was transferred away is not used again, until it is reopened', async () => {
  const places = await emptyPlaces()
  const { url, fileUrl, run, done } = places
  const { answers } = await usedDeployment(places)
  const findings = async (DATABASE_URL: string) =>
    JSON.parse((await run(['doctor', '--json'], { DATABASE_URL })).stdout)
  const refused = expect.stringMatching(
    /^this database was transferred to (PostgreSQL|a file), .*saleproof reopen[^\n]*\n$/,
  )
  const steps = [
    { from: fileUrl(), to: url, next: fileUrl('next.db') },
    { from: url, to: fileUrl('back.db'), next: fileUrl('other.db') },
  ]
  for (const { from, to, next } of steps) {
    await transfer(places, from, to)
    const args = [['serve'], ['export'], ['import', '-'], ['key', 'list'], ['transfer', '--to', next]]
    for (const each of from === url ? args : args.slice(0, 4))
      expect(await run(each, { DATABASE_URL: from, PORT: '0' })).toEqual({
        code: 1,
        stdout: '',
        stderr: refused,
      })
    expect(await findings(from)).toContainEqual({
      check: 'database',
      state: 'problem',
      finding: expect.stringMatching(/was transferred to (PostgreSQL|a file)/),
      advice: expect.stringContaining('saleproof reopen'),
    })
    const bad = (await findings(to)).filter(({ state }: { state: string }) => state === 'problem')
    expect(bad.filter(({ finding }: { finding: string }) => finding.includes('transferred'))).toEqual([])
  }
  const { stderr } = await done(['reopen'], { DATABASE_URL: fileUrl() })
  expect(stderr).toMatch(/^this database is used again/)
  expect(await run(['reopen'], { DATABASE_URL: fileUrl() })).toMatchObject({
    code: 1,
    stderr: 'this database was not transferred: nothing to do\n',
  })
  await done(['reopen'], { DATABASE_URL: url })
  for (const database of [fileUrl(), url]) expect(await answersIn(places, database)).toEqual(answers)
})

test('an instance that was forgotten when its database was transferred answers nothing', async () => {
  const { url, fileUrl, done, serving } = await emptyPlaces()
  const env = { DATABASE_URL: url }
  await done(['migrate'], env)
  await done(['import', '-'], env, ndjson(records))
  const forgotten = await serving(env)
  // Cut off from its database while that is transferred.
  forgotten.signal('SIGSTOP')
  await ask(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await done(['transfer', '--from', url, '--to', fileUrl()])
  forgotten.signal('SIGCONT')
  const asked = { path: '/api/account/details', headers: { 'x-api-key': secretKey } }
  expect((await send(forgotten.url, asked)).status).toBe(503)
  forgotten.signal('SIGTERM')
  await forgotten.done
  // Going back works.
  await done(['reopen'], env)
  await done(['audit', 'verify'], env)
  const again = await serving(env)
  expect((await send(again.url, asked)).status).toBe(200)
  again.signal('SIGTERM')
  await again.done
})

const purchases = Array.from({ length: 40_000 }, (_, index) => ({
  ...records.find((record) => (record as { type: string }).type === 'purchase'),
  purchase_code: `CODE-${index * 7919}-OF-A-LARGE-SHOP`,
}))

/** Kills a transfer as soon as a condition holds. */
async function killWhen(
  { folder }: Places,
  args: readonly string[],
  holds: () => boolean | Promise<boolean>,
) {
  const { pid, done } = await spawnCommand(['transfer', ...args], {
    cwd: folder,
    env: { SALEPROOF_SECRET: secret },
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
  const { folder, url, fileUrl, done } = places
  await done(['import', '-'], { DATABASE_URL: fileUrl() }, ndjson([...records, ...purchases]))
  const isCopying = async () =>
    (
      await ask(
        url,
        `SELECT 1 FROM pg_stat_progress_copy WHERE relid = '"Purchase"'::regclass AND tuples_processed > 100`,
      ).catch(() => [])
    ).length > 0
  await killWhen(places, ['--from', fileUrl(), '--to', url], isCopying)
  for (const name of ['Account', 'Deployment', 'Purchase', 'AuditEntry'])
    expect(await ask(url, `SELECT 1 FROM "${name}" LIMIT 1`)).toEqual([])
  const there = await transfer(places, fileUrl(), url)
  const { rows } = there.find(({ table }) => table === 'Purchase')!
  expect(rows).toBeGreaterThan(40_000)
  // The first requests are planned with what is stored.
  const known = `SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'Purchase'`
  expect(await ask(url, known)).toEqual([{ rows }])
  const target = join(folder, 'back.db')
  const isWriting = () =>
    readdirSync(folder).some(
      (name) => /^back\.db\.transfer-\w{16}$/.test(name) && statSync(join(folder, name)).size > 2 ** 20,
    )
  await killWhen(places, ['--from', url, '--to', fileUrl('back.db')], isWriting)
  expect(existsSync(target)).toBe(false)
  expect(butTheLog(await transfer(places, url, fileUrl('back.db')))).toEqual(butTheLog(there))
})
