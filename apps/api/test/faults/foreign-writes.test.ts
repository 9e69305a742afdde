import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { spawnSaleproof } from '../support/process.ts'
import { createHome, databaseIn, eventually, serveUnderTraffic } from './serving.ts'

// What another program does to the files while they are served. Nothing is answered from them until the service is started again.

const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: 'ada' })

async function serve(cwd: string, concurrency = '1', args: readonly string[] = []) {
  const service = await serveUnderTraffic({ cwd, env: { WEB_CONCURRENCY: concurrency }, args })
  await service.untilReady()
  const statusOf = async (key: string) =>
    (await send(service.url, { path: operations.getAccount.path, headers: { 'x-api-key': key } })).status
  /** Every response was right or 503, and all are 503 now; the log says why once in each process. */
  async function concludeLost(database: string, said: string) {
    await service.traffic.until('unavailable')
    expect(await service.readiness()).toMatchObject({ status: 503, checks: { database } })
    expect(await service.importRecords([workspace('nowhere')])).toMatchObject({ status: 503 })
    const { wrong, summary } = await service.traffic.stop()
    expect(wrong, summary).toEqual([])
    service.signal('SIGTERM')
    const { code, stdout, stderr } = await service.done
    expect(code, stderr).toBe(0)
    const lines = stdout.split('\n').filter((line) => line.includes('"loss":'))
    expect(lines).toHaveLength(Number(concurrency))
    for (const line of lines) expect(line).toContain(said)
  }
  return { ...service, statusOf, concludeLost }
}

async function start(concurrency?: string) {
  const cwd = await createHome()
  return { cwd, file: databaseIn(cwd), ...(await serve(cwd, concurrency)) }
}

const createKey = async (cwd: string) =>
  (await spawnSaleproof(['key', 'create', '--workspace', 'ada-studio'], { cwd })).stdout.trim()

const refused = /^the database \S+ was changed by another program, and \S+-wal holds [^\n]+\n$/

test.each(['1', '2'])(
  'an older copy is written over the served file, with %s processes: no key is refused, and no start mixes it with the log',
  async (count) => {
    const { cwd, file, importRecords, statusOf, concludeLost } = await start(count)
    const older = `${cwd}/older.db`
    const database = new Sqlite(file)
    database.prepare('VACUUM INTO ?').run(older)
    database.close()
    const key = await createKey(cwd)
    expect(await statusOf(key)).toBe(200)
    expect((await importRecords([workspace('in-the-log')])).status).toBe(200)
    copyFileSync(older, file)
    for (let count = 0; count < 40; count++) expect([200, 503]).toContain(await statusOf(key))
    await concludeLost('damaged', 'another program wrote to the database file')
    expect(readFileSync(file).equals(readFileSync(older))).toBe(true)

    for (const command of [['serve'], ['key', 'list'], ['backup', `${cwd}/x.backup`]]) {
      const { code, stdout, stderr } = await spawnSaleproof(command, { cwd, env: { PORT: '0' } })
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(refused)])
    }
    renameSync(`${file}-wal`, `${cwd}/later-wal`)
    const withoutLog = await spawnSaleproof(['serve'], { cwd, env: { PORT: '0' } })
    expect([withoutLog.code, withoutLog.stderr]).toEqual([1, expect.stringContaining('--accept-lost-writes')])
    const again = await serve(cwd, '1', ['--accept-lost-writes'])
    expect(await again.statusOf(key)).toBe(401)
    await again.conclude()
  },
)

test('pages of before a key was revoked are written into the file: it stays refused', async () => {
  const cwd = await createHome()
  const file = databaseIn(cwd)
  const key = await createKey(cwd)
  const before = readFileSync(file)
  const { stdout } = await spawnSaleproof(['key', 'list', '--json'], { cwd })
  const listed: { id: string; name: string }[] = JSON.parse(stdout)
  const database = new Sqlite(file, { readonly: true })
  const id = database.prepare('SELECT id FROM ApiKey ORDER BY createdAt DESC LIMIT 1').pluck().get() as string
  database.close()
  expect(listed.map((each) => each.id)).toContain(id)
  expect((await spawnSaleproof(['key', 'revoke', id], { cwd })).code).toBe(0)
  const after = readFileSync(file)
  const { importRecords, statusOf, concludeLost } = await serve(cwd)
  expect((await importRecords([workspace('a-commit')])).status).toBe(200)
  const descriptor = openSync(file, 'r+')
  for (let at = 4096; at < before.length; at += 4096)
    if (before.compare(after, at, at + 4096, at, at + 4096) !== 0) writeSync(descriptor, before, at, 4096, at)
  closeSync(descriptor)
  for (let count = 0; count < 100; count++) expect(await statusOf(key)).toBe(503)
  await concludeLost('damaged', 'another program wrote to the database file')
})

test('a command that writes much is no foreign write, and a copy right after it is one', async () => {
  const { cwd, file, traffic, readiness, importRecords, concludeLost } = await start('2')
  copyFileSync(file, `${cwd}/older.db`)
  const input = Array.from({ length: 15_000 }, (_, number) => JSON.stringify(workspace(`many-${number}`)))
  const size = statSync(file).size
  expect((await spawnSaleproof(['import', '-'], { cwd, input: input.join('\n') })).code).toBe(0)
  await eventually(() => statSync(file).size > size * 2)
  for (let count = 0; count < 20; count++)
    expect((await importRecords([workspace(`after-${count}`)])).status).toBe(200)
  await sleep(500)
  expect((await readiness()).status).toBe(200)
  expect(traffic.count('unavailable')).toBe(0)
  copyFileSync(`${cwd}/older.db`, file)
  await concludeLost('damaged', 'another program wrote to the database file')
})

interface Case {
  name: string
  act: (file: string, cwd: string) => void
  database: string
  said: string
  /** What the next start says, if it refuses the files as they are. */
  refused: RegExp | undefined
}

const wrote = 'another program wrote to the database file'
const gone = /^the database \S+ is missing, [^\n]+\n$/

const cases: readonly Case[] = [
  {
    name: 'is removed',
    act: (file) => rmSync(file),
    database: 'missing',
    said: 'the database file is gone',
    refused: gone,
  },
  {
    name: 'gives way to a copy of itself',
    act: (file, cwd) => {
      copyFileSync(file, `${cwd}/copy.db`)
      renameSync(`${cwd}/copy.db`, file)
    },
    database: 'replaced',
    said: 'another file has taken the place',
    refused,
  },
  {
    name: 'is of another time',
    act: (file) => utimesSync(file, new Date(), new Date()),
    database: 'damaged',
    said: wrote,
    refused,
  },
  {
    name: 'is cut off',
    act: (file) => truncateSync(file, 8192),
    database: 'damaged',
    said: wrote,
    refused,
  },
  {
    name: 'is emptied',
    act: (file) => truncateSync(file, 0),
    database: 'damaged',
    said: wrote,
    refused,
  },
  {
    name: 'is overwritten with something else',
    act: (file) => writeFileSync(file, 'not a database '.repeat(10_000)),
    database: 'damaged',
    said: wrote,
    refused,
  },
  {
    name: 'lost what its log held',
    act: (file) => truncateSync(`${file}-wal`, 0),
    database: 'damaged',
    said: 'the write-ahead log',
    refused: undefined,
  },
]

test.each(cases)('a served database that $name: 503, and no start that mixes files', async (given) => {
  const { cwd, file, importRecords, concludeLost } = await start()
  expect((await importRecords([workspace('in-the-log')])).status).toBe(200)
  given.act(file, cwd)
  await concludeLost(given.database, given.said)
  if (!given.refused) return
  const { code, stderr } = await spawnSaleproof(['serve'], { cwd, env: { PORT: '0' } })
  expect([code, stderr]).toEqual([1, expect.stringMatching(given.refused)])
})

const slugs = (file: string) => {
  const database = new Sqlite(file, { readonly: true })
  const found = database.prepare('SELECT slug FROM Workspace').pluck().all()
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  return found
}

test('a database that is moved away and back is served again after a restart, with what was confirmed', async () => {
  const { cwd, file, importRecords, concludeLost } = await start()
  expect((await importRecords([workspace('in-the-log')])).status).toBe(200)
  renameSync(file, `${cwd}/elsewhere.db`)
  await concludeLost('missing', 'the database file is gone')
  renameSync(`${cwd}/elsewhere.db`, file)
  const again = await serve(cwd)
  await again.conclude()
  expect(slugs(file)).toContain('in-the-log')
})

test('a database of another deployment in its place is served only after a restart with its own secret', async () => {
  const { cwd, file, concludeLost } = await start()
  const env = { DATABASE_URL: `file:${cwd}/other.db`, SALEPROOF_SECRET: 'x'.repeat(32) }
  expect((await spawnSaleproof(['demo'], { cwd, env })).code).toBe(0)
  renameSync(`${cwd}/other.db`, file)
  await concludeLost('replaced', 'another file has taken the place')
  const { code, stderr } = await spawnSaleproof(['serve'], { cwd, env: { PORT: '0' } })
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('is not the one that this database was made with'),
  ])
})

test('no command makes an empty database in the place of one that is gone', async () => {
  const { file, cwd, traffic } = await start()
  rmSync(file)
  await traffic.until('unavailable')
  const { code, stderr } = await spawnSaleproof(['key', 'list'], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringMatching(gone)])
  expect(existsSync(file)).toBe(false)
})

test.each([['-wal'], ['-shm'], ['-wal', '-shm']])(
  'the log is deleted (%j): what was confirmed is there after a restart',
  async (...suffixes) => {
    const { cwd, file, importRecords, concludeLost } = await start('2')
    expect((await importRecords([workspace('only-in-the-log')])).status).toBe(200)
    for (const suffix of suffixes) rmSync(`${file}${suffix}`)
    await concludeLost('damaged', 'the write-ahead log')
    const again = await serve(cwd)
    expect((await again.importRecords([workspace('afterwards')])).status).toBe(200)
    await again.conclude()
    expect(slugs(file)).toEqual(expect.arrayContaining(['only-in-the-log', 'afterwards']))
  },
)

// Repeated: the system ends a process that reads the file while it is emptied, and another takes its place.
test('the index of the log is emptied: 503 in place of a crash, and what was confirmed is there after a restart', {
  retry: 2,
}, async () => {
  const { cwd, file, importRecords, concludeLost } = await start('2')
  expect((await importRecords([workspace('only-in-the-log')])).status).toBe(200)
  truncateSync(`${file}-shm`, 0)
  await concludeLost('damaged', 'the write-ahead log')
  const again = await serve(cwd)
  await again.conclude()
  expect(slugs(file)).toContain('only-in-the-log')
})

/** How many validations the usage file counts. */
function countedValidations(file: string): number {
  const database = new Sqlite(`${file}.usage`, { readonly: true })
  const counted = database
    .prepare(`SELECT coalesce(sum(count), 0) FROM Counts WHERE kind = 'key'`)
    .pluck()
    .get()
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  return Number(counted)
}

test.each(['1', '2'])(
  'the index of the log of the usage file is emptied, with %s processes: requests and statistics go on',
  async (count) => {
    const { file, conclude } = await start(count)
    await eventually(() => existsSync(`${file}.usage-shm`))
    await sleep(1500)
    truncateSync(`${file}.usage-shm`, 0)
    await sleep(3000)
    const before = countedValidations(file)
    expect(before).toBeGreaterThan(0)
    await eventually(() => countedValidations(file) > before)
    truncateSync(`${file}.usage-shm`, 0)
    await conclude()
    expect(countedValidations(file)).toBeGreaterThan(before)
  },
)

test('a restore replaces a file that another program wrote to, and keeps that file and the log', async () => {
  const { cwd, file, importRecords, concludeLost } = await start()
  const backup = `${cwd}/a.backup`
  expect((await spawnSaleproof(['backup', backup], { cwd })).code).toBe(0)
  expect((await importRecords([workspace('in-the-log')])).status).toBe(200)
  truncateSync(file, 8192)
  await concludeLost('damaged', wrote)
  const log = readFileSync(`${file}-wal`)
  const unforced = await spawnSaleproof(['restore', backup], { cwd })
  expect([unforced.code, unforced.stderr]).toEqual([1, expect.stringContaining('--force')])
  expect((await spawnSaleproof(['restore', backup, '--force'], { cwd })).code).toBe(0)
  const kept = readdirSync(`${cwd}/data`).filter((name) => /before-restore-\d+$/.test(name))
  expect(kept).toHaveLength(1)
  expect(readFileSync(`${cwd}/data/${kept[0]}-wal`).equals(log)).toBe(true)
  const again = await serve(cwd)
  await again.conclude()
})
