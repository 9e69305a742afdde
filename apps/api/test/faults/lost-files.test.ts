import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { spawnSaleproof } from '../support/process.ts'
import { createHome, databaseIn, eventually, serveUnderTraffic } from './serving.ts'

const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: 'ada' })

/** Copies a database as it is now, as any tool of SQLite does. */
function copyOf(file: string, target: string) {
  const database = new Sqlite(file)
  database.prepare('VACUUM INTO ?').run(target)
  database.close()
  return target
}

const slugs = (file: string) => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return database.prepare('SELECT slug FROM Workspace').pluck().all()
  } finally {
    database.close()
  }
}

/** Where the index of the purchases begins. */
function pageOfPurchases(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const query = `SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_Purchase_1'`
  const page = database.prepare<[], number>(query).pluck().get()!
  database.close()
  return page
}

async function start(concurrency = '1') {
  const cwd = await createHome()
  const service = await serveUnderTraffic({ cwd, env: { WEB_CONCURRENCY: concurrency } })
  const file = databaseIn(cwd)
  return { ...service, cwd, file, spare: copyOf(file, `${cwd}/spare.db`) }
}

test.each(['1', '2'])(
  'a database that is deleted, with %s processes: 503 until another copy of it is there',
  async (count) => {
    const { file, spare, traffic, readiness, untilReady, importRecords, conclude } = await start(count)
    expect(await readiness()).toEqual({
      status: 200,
      checks: { database: 'ok', migrations: 'ok', secret: 'ok' },
    })
    rmSync(file)
    await traffic.until('unavailable')
    expect(await readiness()).toEqual({
      status: 503,
      checks: { database: 'missing', migrations: 'unknown', secret: 'unknown' },
    })
    expect(await importRecords([workspace('nowhere')])).toMatchObject({ status: 503, code: 'unavailable' })
    expect(existsSync(file)).toBe(false)
    copyFileSync(spare, file)
    await untilReady()
    expect((await importRecords([workspace('afterwards')])).status).toBe(200)
    const { stdout } = await conclude()
    expect(slugs(file)).toContain('afterwards')
    expect(slugs(file)).not.toContain('nowhere')
    expect(stdout).toContain('the database file is gone')
    expect(stdout).toContain('the database is back')
  },
  90_000,
)

test('a database that is moved away and back goes on as it was', async () => {
  const { file, cwd, traffic, importRecords, conclude } = await start()
  expect((await importRecords([workspace('before')])).status).toBe(200)
  renameSync(file, `${cwd}/elsewhere.db`)
  await traffic.until('unavailable')
  renameSync(`${cwd}/elsewhere.db`, file)
  await traffic.until('right')
  expect((await importRecords([workspace('after')])).status).toBe(200)
  await conclude()
  expect(slugs(file)).toEqual(expect.arrayContaining(['before', 'after']))
}, 60_000)

test.each(['1', '2'])(
  'a copy that takes the place of the database, with %s processes: it is answered from, without the log of the other',
  async (count) => {
    const { file, spare, cwd, traffic, untilReady, importRecords, conclude } = await start(count)
    expect((await importRecords([workspace('only-in-the-log')])).status).toBe(200)
    renameSync(file, `${cwd}/replaced.db`)
    renameSync(spare, file)
    await traffic.until('unavailable')
    await untilReady()
    expect((await importRecords([workspace('afterwards')])).status).toBe(200)
    await conclude()
    expect(slugs(file)).toContain('afterwards')
    expect(slugs(file)).not.toContain('only-in-the-log')
    // What was confirmed before is in the database that it was confirmed for.
    expect(slugs(`${cwd}/replaced.db`)).toContain('only-in-the-log')
    const database = new Sqlite(file)
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
    expect(readdirSync(`${cwd}/data`).filter((name) => name.includes('of-replaced'))).toEqual([])
  },
  90_000,
)

test('a database of another deployment in its place is not answered from', async () => {
  const { file, cwd, spare, traffic, readiness, conclude } = await start()
  const other = `${cwd}/other`
  const env = { DATABASE_URL: `file:${other}.db`, SALEPROOF_SECRET: 'x'.repeat(32) }
  expect((await spawnSaleproof(['demo'], { cwd, env })).code).toBe(0)
  renameSync(`${other}.db`, file)
  await traffic.until('unavailable')
  await eventually(async () => (await readiness()).checks.database === 'replaced')
  rmSync(file)
  copyFileSync(spare, file)
  await conclude()
}, 60_000)

test('no command makes an empty database in the place of one that is gone', async () => {
  const { file, cwd, spare, traffic, conclude } = await start()
  rmSync(file)
  await traffic.until('unavailable')
  const { code, stderr } = await spawnSaleproof(['key', 'list'], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^the database \S+ is missing, [^\n]+\n$/)])
  expect(existsSync(file)).toBe(false)
  copyFileSync(spare, file)
  await conclude()
}, 60_000)

test.each(['1', '2'])(
  'a database that is cut off, with %s processes: 503 until a whole one is there',
  async (count) => {
    const { file, spare, traffic, readiness, untilReady, conclude } = await start(count)
    truncateSync(file, 8192)
    await traffic.until('unavailable')
    expect(await readiness()).toMatchObject({ status: 503, checks: { database: 'damaged' } })
    // As `cp` does: into the file that is there.
    copyFileSync(spare, file)
    await untilReady()
    await conclude()
  },
  90_000,
)

test('a database that is emptied, or overwritten with something else: 503 until a whole one is there', async () => {
  const { file, spare, traffic, readiness, conclude } = await start()
  truncateSync(file, 0)
  await traffic.until('unavailable')
  copyFileSync(spare, file)
  await traffic.until('right')
  writeFileSync(file, 'not a database '.repeat(10_000))
  await traffic.until('unavailable')
  expect((await readiness()).checks.database).toBe('damaged')
  copyFileSync(spare, file)
  await conclude()
}, 60_000)

test('a page of a database is overwritten: 503, never a no, until it is whole again', async () => {
  const { file, spare, output, traffic, readiness, conclude } = await start()
  const page = pageOfPurchases(file)
  const descriptor = openSync(file, 'r+')
  // Nothing of what a start looks at.
  writeSync(descriptor, Buffer.alloc(4096), 0, 4096, (page - 1) * 4096)
  closeSync(descriptor)
  await traffic.until('unavailable')
  expect((await readiness()).checks.database).toBe('damaged')
  // It was looked into, and found to be what it is.
  await eventually(() => output.stdout.includes('"reason":"damaged"'))
  expect((await readiness()).status).toBe(503)
  copyFileSync(spare, file)
  await conclude()
}, 60_000)

test.each([['-wal'], ['-shm'], ['-wal', '-shm']])(
  'the log is deleted (%j): what was confirmed is saved',
  async (...suffixes) => {
    const { file, untilReady, importRecords, conclude } = await start('2')
    expect((await importRecords([workspace('only-in-the-log')])).status).toBe(200)
    for (const suffix of suffixes) rmSync(`${file}${suffix}`)
    await eventually(() => suffixes.every((suffix) => existsSync(`${file}${suffix}`)))
    await untilReady()
    expect((await importRecords([workspace('afterwards')])).status).toBe(200)
    await conclude()
    expect(slugs(file)).toEqual(expect.arrayContaining(['only-in-the-log', 'afterwards']))
    const database = new Sqlite(file)
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
  },
  90_000,
)
