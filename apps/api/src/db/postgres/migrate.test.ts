import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { missingMigration } from '../../../scripts/migration-engine.ts'
import { migrationsFolder } from '../../../scripts/prisma-schema.ts'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { temporaryDatabase } from '../../../test/support/postgres-databases.ts'
import { readMigrations } from '../migration-history.ts'
import { readAddress } from './address.ts'
import { createPostgresMigrator } from './migrate.ts'

const ours = migrationsFolder('postgresql')
const clock = () => new Date('2026-11-21T12:00:00.000Z')

async function setup({ empty = true } = {}) {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty })
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  const migrator = (folder = ours) => createPostgresMigrator({ address: readAddress(url), folder, clock })
  return { url, migrator, client, query: async (sql: string) => (await client.query(sql)).rows }
}

/** Our migrations and one more. */
async function withAnother(sql: string, name = '20991231000000_another') {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  cpSync(ours, folder, { recursive: true })
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'migration.sql'), sql)
  return folder
}

test('the migrations give the schema', async () => {
  expect(await missingMigration('postgresql', ours, inject('postgresUrl'))).toBeUndefined()
})

test('texts are compared by their bytes', async () => {
  const { query } = await setup({ empty: false })
  const others = await query(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
      AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C' AND table_name <> '_prisma_migrations'`,
  )
  expect(others).toEqual([])
})

test('an empty database gets all, a migrated one nothing', async () => {
  const { migrator } = await setup()
  const { pending } = await migrator().status()
  expect(pending.length).toBeGreaterThan(0)
  expect(await migrator().apply()).toEqual({ applied: pending })
  expect(await migrator().status()).toEqual({ applied: pending, pending: [] })
  expect(await migrator().apply()).toEqual({ applied: [] })
})

test('of many that migrate at once each migration is applied by one', async () => {
  const { migrator, query } = await setup()
  const { pending } = await migrator().status()
  const done = await Promise.all(Array.from({ length: 8 }, () => migrator().apply()))
  expect(done.flatMap(({ applied }) => applied).sort()).toEqual(pending)
  const rows = await query('SELECT migration_name FROM _prisma_migrations ORDER BY 1')
  expect(rows.map(({ migration_name }) => migration_name)).toEqual(pending)
})

test('a migration that fails leaves nothing, and those before it stand', async () => {
  const { migrator, query } = await setup()
  const folder = await withAnother('CREATE TABLE half (id int); SELECT 1/0;')
  await expect(migrator(folder).apply()).rejects.toMatchObject({ reason: '22012' })
  expect((await migrator().status()).pending).toEqual([])
  expect((await migrator(folder).status()).pending).toEqual(['20991231000000_another'])
  expect(await query(`SELECT 1 FROM pg_tables WHERE tablename = 'half'`)).toEqual([])
})

test('a later build that adds leaves this one what it needs', async () => {
  const { migrator } = await setup({ empty: false })
  await migrator(await withAnother('ALTER TABLE "Item" ADD COLUMN "more" int')).apply()
  expect((await migrator().status()).pending).toEqual([])
  expect(await migrator().apply()).toEqual({ applied: [] })
})

test('a later build that takes something away says which build may still run', async () => {
  const [last] = readMigrations(ours).slice(-1)
  const known = last!.name.slice(0, 14)
  const prepared = await setup({ empty: false })
  await prepared.migrator(await withAnother('SELECT 1', `20991231000000_drop_after_${known}`)).apply()
  expect((await prepared.migrator().status()).pending).toEqual([])
  const tooOld = await setup({ empty: false })
  await tooOld.migrator(await withAnother('SELECT 1', '20991231000000_drop_after_20990101000000')).apply()
  await expect(tooOld.migrator().status()).rejects.toMatchObject({ state: 'newer' })
})

test('refuses a database of another application, or with another history', async () => {
  const earlier = await setup({ empty: false })
  await earlier.query(`UPDATE _prisma_migrations SET migration_name = '20260101000000_init'`)
  await expect(earlier.migrator().apply()).rejects.toThrow('of an earlier build')
  const foreign = await setup()
  await foreign.query('CREATE TABLE theirs (id int)')
  await expect(foreign.migrator().apply()).rejects.toThrow('a database of its own')
  const edited = await setup({ empty: false })
  await edited.query(`UPDATE _prisma_migrations SET checksum = 'other'`)
  await expect(edited.migrator().apply()).rejects.toMatchObject({ state: 'edited' })
})

test('does not wait indefinitely for a table in use, so that requests behind it go on', async () => {
  const { migrator, client } = await setup({ empty: false })
  await client.query('BEGIN; SELECT 1 FROM "Item"')
  const folder = await withAnother('ALTER TABLE "Item" ADD COLUMN "more" int')
  await expect(migrator(folder).apply()).rejects.toMatchObject({ kind: 'busy' })
  await client.query('COMMIT')
  expect(await migrator(folder).apply()).toEqual({ applied: ['20991231000000_another'] })
})

const indexes = [
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS "first" ON "Purchase" ("date", "price")',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS "second" ON "Purchase" ("price", "date")',
]

test('builds indexes while a table is written to, once for many that migrate at once', async () => {
  const { migrator, client, query } = await setup({ empty: false })
  // What writes holds up the build, not the other way round.
  await client.query('BEGIN; DELETE FROM "Purchase"')
  const folder = await withAnother(indexes[0]!, '20991231000000_first')
  mkdirSync(join(folder, '20991231000001_second'))
  writeFileSync(join(folder, '20991231000001_second', 'migration.sql'), indexes[1]!)
  const migrating = Promise.all(Array.from({ length: 4 }, () => migrator(folder).apply()))
  await sleep(1000)
  await client.query('DELETE FROM "Item"')
  await client.query('COMMIT')
  const applied = (await migrating).flatMap((done) => done.applied).sort()
  expect(applied).toEqual(['20991231000000_first', '20991231000001_second'])
  expect(
    await query(`SELECT indisvalid FROM pg_index WHERE indexrelid::regclass::text IN ('first', 'second')`),
  ).toEqual([{ indisvalid: true }, { indisvalid: true }])
})

test('builds an index again whose build was interrupted', async () => {
  const { migrator, client, query } = await setup({ empty: false })
  const folder = await withAnother(indexes[0]!)
  await client.query('BEGIN; DELETE FROM "Purchase"')
  const interrupted = migrator(folder).apply()
  const building = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONC%'
    AND pid <> pg_backend_pid()`
  const found = async () => {
    // What a transaction has seen of connections it keeps.
    await query('SELECT pg_stat_clear_snapshot()')
    return query(building)
  }
  await expect.poll(found).toHaveLength(1)
  await query(`SELECT pg_terminate_backend(pid) FROM (${building}) b`)
  await expect(interrupted).rejects.toMatchObject({ kind: 'connection_lost' })
  await client.query('COMMIT')
  const states = `SELECT indisvalid FROM pg_index WHERE indexrelid::regclass::text = 'first'`
  expect(await query(states)).toEqual([{ indisvalid: false }])
  expect(await migrator(folder).apply()).toEqual({ applied: ['20991231000000_another'] })
  expect(await query(states)).toEqual([{ indisvalid: true }])
})
