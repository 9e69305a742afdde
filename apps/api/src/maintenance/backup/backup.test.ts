import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations, temporaryFolder } from '../../../test/support/folders.ts'
import { openUsage } from '../../../test/support/usage.ts'
import { createSqliteMigrator } from '../../db/sqlite/migrate.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let backup: string
let file: string
const clock = () => new Date('2026-03-01T12:00:00Z')
const by = { operation: 'listItems', client: 'curl/8.5.0' } as const

beforeEach(async () => {
  place = await temporaryFolder()
  file = join(place.folder, 'saleproof.db')
  backup = join(place.folder, 'copy.backup')
  await createSqliteMigrator({ databaseFile: file, migrations, clock }).apply()
  const usage = openUsage(file)
  await usage.store.record({ keyUses: [{ keyId: 'a-key', at: 1_700_000_000_000, ...by }] }, 1_700_000_000_000)
  usage.close()
  await createBackup({ databaseFile: file, target: backup, clock })
})
afterEach(() => place.remove())

let count = 0
function restore(options: { source?: string; migrations?: string } = {}) {
  const folder = join(place.folder, `restored-${count++}`)
  const databaseFile = join(folder, 'saleproof.db')
  const result = restoreBackup({
    databaseFile,
    source: backup,
    migrations,
    secret: undefined,
    force: true,
    clock,
    ...options,
  })
  return { result, folder, databaseFile }
}

test('a backup is a database that any tool opens, and says when it was made', async () => {
  const database = new Sqlite(backup, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.prepare('SELECT count(*) FROM _prisma_migrations').pluck().get()).toBe(
    readdirSync(migrations).filter((name) => /^\d/.test(name)).length,
  )
  database.close()
  const lines = readFileSync(backup, 'latin1').split('\n')
  expect(lines.at(-2)).toMatch(/saleproof-backup 1 2026-03-01T12:00:00\.000Z [ \da-f]+$/)
  const { result, databaseFile } = restore()
  expect(await result).toEqual({
    created: '2026-03-01T12:00:00.000Z',
    kept: undefined,
    pending: [],
    hasSecret: true,
  })
  const usage = openUsage(databaseFile)
  expect(await usage.store.lastUses()).toEqual(new Map([['a-key', { at: new Date(1_700_000_000_000), by }]]))
  usage.close()
})

test('wherever a byte is changed, or the end is missing, or something is added, it is refused and nothing is left', async () => {
  const bytes = readFileSync(backup)
  const bad = join(place.folder, 'bad.backup')
  const change = fc.oneof(
    fc.record({ at: fc.nat(bytes.length - 1), xor: fc.integer({ min: 1, max: 255 }) }).map(({ at, xor }) => {
      const copy = Buffer.from(bytes)
      copy[at]! ^= xor
      return copy
    }),
    // The last line is a thousandth of the file.
    fc.record({ at: fc.nat(140), xor: fc.integer({ min: 1, max: 255 }) }).map(({ at, xor }) => {
      const copy = Buffer.from(bytes)
      copy[bytes.length - 1 - at]! ^= xor
      return copy
    }),
    fc.nat(bytes.length - 1).map((length) => bytes.subarray(0, length)),
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((more) => Buffer.concat([bytes, more])),
  )
  await fc.assert(
    fc.asyncProperty(change, async (content) => {
      writeFileSync(bad, content)
      const { result, folder } = restore({ source: bad })
      await expect(result).rejects.toMatchObject({
        name: 'UserError',
        message: expect.stringContaining('damaged'),
      })
      expect(readdirSync(folder)).toEqual(['saleproof.db.lock'])
    }),
    { numRuns: 100 },
  )
})

test('a checksum that is right does not make a damaged database good', async () => {
  const database = new Sqlite(file)
  database.exec('PRAGMA foreign_keys = OFF')
  database.exec(`INSERT INTO Workspace (id, accountId, slug, name, createdAt)
    VALUES (1, 'nobody', 'w', 'W', 0)`)
  database.close()
  const source = join(place.folder, 'broken.backup')
  await createBackup({ databaseFile: file, target: source, clock })
  const { result, folder } = restore({ source })
  await expect(result).rejects.toThrow('damaged database')
  expect(readdirSync(folder)).toEqual(['saleproof.db.lock'])
})

test('a backup of a newer build is refused; one of an older build says what it lacks', async () => {
  const next = '29990101000000_next'
  const more = join(place.folder, 'more')
  cpSync(migrations, more, { recursive: true })
  mkdirSync(join(more, next))
  writeFileSync(join(more, next, 'migration.sql'), 'CREATE TABLE "Next" ("id" INTEGER PRIMARY KEY);')
  const { result, databaseFile } = restore({ migrations: more })
  expect(await result).toMatchObject({ pending: [next] })
  expect((await createSqliteMigrator({ databaseFile, migrations: more, clock }).apply()).applied).toEqual([
    next,
  ])
  const source = join(place.folder, 'newer.backup')
  await createBackup({ databaseFile, target: source, clock })
  await expect(restore({ source }).result).rejects.toThrow(
    /^the backup cannot be restored: the database is newer than this build/,
  )
})

test('a damaged database is not backed up', async () => {
  const folder = join(place.folder, 'damaged')
  mkdirSync(folder)
  const damaged = join(folder, 'x.db')
  cpSync(file, damaged)
  truncateSync(damaged, 20_000)
  const target = join(folder, 'copy.backup')
  await expect(createBackup({ databaseFile: damaged, target, clock })).rejects.toMatchObject({
    name: 'DatabaseError',
    message: expect.stringContaining('damaged'),
  })
  expect(readdirSync(folder).sort()).toEqual(['x.db', 'x.db.lock'])
})

test('a database of something else is not backed up', async () => {
  const other = join(place.folder, 'other.db')
  const database = new Sqlite(other)
  database.exec('CREATE TABLE Something (id INTEGER)')
  database.close()
  const target = join(place.folder, 'other.backup')
  await expect(createBackup({ databaseFile: other, target, clock })).rejects.toThrow('not a database of')
})
