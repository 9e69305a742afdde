import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { send } from '../support/client.ts'
import { changeIn, databaseUrlIn, secret } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { records } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const run = (args: readonly string[], env: Record<string, string> = {}, input = '') =>
  spawnSaleproof(args, { cwd: home.folder, env, input })

async function emptyDatabase() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
  return { env: { DATABASE_URL: url, SALEPROOF_SECRET: secret! }, remove }
}

test('an empty database is not migrated by a start, which says what to do; then it serves', async () => {
  const { env, remove } = await emptyDatabase()
  for (const args of [['serve'], ['key', 'list'], ['import', '-']]) {
    const { code, stdout, stderr } = await run(args, env)
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'the database is empty: run "saleproof migrate" once, then start again\n',
    ])
  }
  expect(JSON.parse((await run(['doctor', '--json'], env)).stdout)).toContainEqual(
    expect.objectContaining({ check: 'migrations', state: 'problem', advice: 'run "saleproof migrate"' }),
  )
  expect((await run(['migrate', '--status'], env)).stdout).toMatch(/^(pending {2}\d{14}_\w+\n)+$/)
  const migrated = await run(['migrate'], env)
  expect([migrated.code, migrated.stderr]).toEqual([0, expect.stringMatching(/^applied \d{14}_init\n/)])
  expect((await run(['migrate'], env)).stderr).toBe('nothing to apply: the database is up to date\n')
  expect((await run(['migrate', '--status'], env)).stdout).toMatch(/^(applied {2}\d{14}_\w+\n)+$/)
  const server = await spawnServe({ cwd: home.folder, env })
  expect((await send(server.url, { path: '/readyz' })).text).toBe(
    '{"status":"ready","checks":{"database":"ok","migrations":"ok","secret":"ok"}}',
  )
  server.signal('SIGTERM')
  expect((await server.done).code).toBe(0)
  await remove()
})

test('without SALEPROOF_SECRET nothing starts', async () => {
  const { code, stderr } = await run(['serve'], { SALEPROOF_SECRET: '' })
  expect([code, stderr]).toEqual([
    2,
    'SALEPROOF_SECRET takes at least 32 characters, and has to be set with PostgreSQL\n',
  ])
})

test('with another secret nothing starts', async () => {
  expect((await run(['import', '-'], {}, ndjson(records))).code).toBe(0)
  const { code, stderr } = await run(['serve'], { SALEPROOF_SECRET: 'x'.repeat(40) })
  expect([code, stderr]).toEqual([
    1,
    'SALEPROOF_SECRET is not the one that this database was made with: start with that one\n',
  ])
})

test.each([
  ['backup', /pg_dump/],
  ['restore', /pg_restore/],
])('%s says which tools do that', async (command, tools) => {
  const { code, stdout, stderr } = await run([command, 'x.backup'])
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(tools)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test.each([
  ['a host that there is none of', 'postgresql://u:p@nowhere.invalid:5432/x', /^there is no host/],
  ['a port where nothing listens', 'postgresql://u:p@127.0.0.1:1/x', /^nothing listens where/],
])('%s is one clear line', async (_, DATABASE_URL, says) => {
  const { code, stdout, stderr } = await run(['key', 'list'], { DATABASE_URL })
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(says)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('a wrong password and a wrong name are one clear line, which does not hold them', async () => {
  const url = await databaseUrlIn(home.folder)
  const wrong = await run(['key', 'list'], { DATABASE_URL: url.replace(/:[0-9a-f]{32}@/, ':canary@') })
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    'the database refuses the user or the password of DATABASE_URL: correct them (28P01)\n',
  ])
  const missing = await run(['key', 'list'], { DATABASE_URL: url.replace(/test_\w+$/, 'missing') })
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^there is no database of the name/),
  ])
})

async function examine(env: Record<string, string> = {}) {
  const { code, stdout } = await run(['doctor', '--json'], env)
  const findings = JSON.parse(stdout) as { check: string; state: string; finding: string }[]
  const bad = findings.filter(({ state }) => state !== 'ok').map(({ check, state }) => `${check} ${state}`)
  return { code, bad, texts: findings.map(({ finding }) => finding).join('\n') }
}

test('the doctor finds what is wrong with a database on a server', async () => {
  expect((await run(['import', '-'], {}, ndjson(records))).code).toBe(0)
  const known = ['fsync', 'full_page_writes', 'synchronous_commit']
  // The server of the tests keeps nothing safe, and the doctor says so.
  const well = await examine()
  expect([well.code, well.bad]).toEqual([1, known.map(() => 'database problem')])
  for (const name of known) expect(well.texts).toContain(`${name} is off`)
  const unsafe = well.bad
  expect((await examine({ SALEPROOF_SECRET: 'x'.repeat(40) })).bad).toEqual([...unsafe, 'secret problem'])
  expect((await examine({ SALEPROOF_SECRET: '' })).bad).toEqual(['configuration problem'])
  await changeIn(home, `UPDATE "ApiKey" SET "keyCipher" = '\\x00' WHERE "name" = 'leaked'`)
  expect((await examine()).bad).toEqual([...unsafe, 'secret problem'])
  await changeIn(home, 'UPDATE _prisma_migrations SET rolled_back_at = now()')
  const lacking = await examine()
  expect([lacking.bad, lacking.texts]).toEqual([
    [...unsafe, 'migrations problem'],
    expect.not.stringContaining('newer'),
  ])
  await changeIn(
    home,
    `UPDATE _prisma_migrations SET rolled_back_at = NULL, migration_name = '20260101000000_a'`,
  )
  const earlier = await examine()
  expect([earlier.bad, earlier.texts]).toEqual([
    [...unsafe, 'migrations problem'],
    expect.stringContaining('of an earlier build'),
  ])
  expect((await examine({ DATABASE_URL: 'postgresql://u:canary@127.0.0.1:1/x' })).bad).toEqual([
    'database problem',
  ])
})

test('the doctor compares the connections of the server with what the instances need', async () => {
  expect((await run(['import', '-'], {}, ndjson(records))).code).toBe(0)
  const url = await databaseUrlIn(home.folder)
  const connections = async (instances: string, env: Record<string, string>) => {
    const { stdout } = await run(['doctor', '--json', '--instances', instances], env)
    const found = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'connections')
    return `${found.state}: ${found.finding}`
  }
  const limit = (count: number) =>
    changeIn(home, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" CONNECTION LIMIT ${count}`)
  await limit(60)
  expect(await connections('2', { WEB_CONCURRENCY: '2' })).toBe(
    'ok: 2 instances need 51 connections: 12 for each of 4 processes, and 3 for imports and commands; the database allows 60',
  )
  expect(await connections('3', { WEB_CONCURRENCY: '2' })).toMatch(
    /^problem: 3 instances need 75 connections.*allows 60$/,
  )
  const smaller = `${url}${url.includes('?') ? '&' : '?'}connection_limit=2`
  expect(await connections('1', { WEB_CONCURRENCY: '1', DATABASE_URL: smaller })).toMatch(
    /^ok: 1 instance needs 7 connections: 4 for its process, /,
  )
  await limit(-1)
  const all = await connections('400', { WEB_CONCURRENCY: '1' })
  expect(all).toMatch(/^problem: 400 instances need 4803 connections.*the server allows \d+$/)
})
