import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrationsFolder } from '../../scripts/prisma-schema.ts'
import { readAddress } from '../../src/db/postgres/address.ts'
import { createPostgresMigrator } from '../../src/db/postgres/migrate.ts'
import { temporaryFolder } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { type Attended, startMonitoring } from './attended.ts'
import { connectTo, environmentFor } from './servers.ts'

const timeout = 120_000

/** Brings a database to the schema of a build that comes after this one: with more migrations. */
async function migrateTo(url: string, more: Readonly<Record<string, string>>) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  cpSync(migrationsFolder('postgresql'), folder, { recursive: true })
  for (const [name, sql] of Object.entries(more)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'migration.sql'), sql)
  }
  const clock = () => new Date()
  return createPostgresMigrator({ address: readAddress(url), folder, clock }).apply()
}

async function setup() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  return { url, service: await startMonitoring(url) }
}

/** Another instance of this build that starts now. */
async function startAnother(url: string) {
  const home = await temporaryFolder()
  onTestFinished(home.remove)
  const { signal, done } = await spawnServe({ cwd: home.folder, env: environmentFor(url) })
  signal('SIGTERM')
  return (await done).code
}

const isReady = async (service: Attended) => (await service.readiness()).status === 200

test(
  'this build goes on, and starts, on the schema of one that comes after it',
  async () => {
    const { url, service } = await setup()
    // Everything that a statement of this build names gets a neighbour, which it does not know.
    const tables = ['Account', 'Workspace', 'ApiKey', 'Item', 'Purchase']
    const more = tables.map((table) => `ALTER TABLE "${table}" ADD COLUMN "more" text NOT NULL DEFAULT 'x';`)
    await migrateTo(url, { '29990101000000_expand': more.join('\n') })
    // The locks of a migration may hold some up for too long; a statement that does not fit any more would fail each time.
    await service.traffic.until('right')
    const before = service.traffic.count('unavailable')
    expect(await isReady(service)).toBe(true)
    expect(await startAnother(url)).toBe(0)
    const { right, unavailable } = JSON.parse(await service.conclude())
    expect(unavailable - before).toBeLessThan(right / 20)
  },
  timeout,
)

test('no read fails while a table in use gets a column and an index, and instances are replaced', {
  // On a busy machine a read may take too long for another reason, but not each time.
  timeout,
  retry: 2,
}, async () => {
  const { url, service } = await setup()
  const reader = await connectTo(url)
  const writer = await connectTo(url)
  // A dump, and a program that writes: the column has to wait for the one, the index for the other.
  await reader.query('BEGIN; SELECT 1 FROM "Purchase"')
  await writer.query('BEGIN; UPDATE "Purchase" SET "price" = "price"')
  const first = { '29990101000000_column': 'ALTER TABLE "Purchase" ADD COLUMN "more" int' }
  const column = migrateTo(url, first)
  await sleep(2000)
  await reader.query('COMMIT')
  await writer.query('COMMIT')
  await column
  await writer.query('BEGIN; UPDATE "Purchase" SET "price" = "price"')
  const index = migrateTo(url, {
    ...first,
    '29990102000000_index': 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "more" ON "Purchase" ("more", "date")',
  })
  await sleep(2000)
  await writer.query('COMMIT')
  await index
  expect(await startAnother(url)).toBe(0)
  const { right, unavailable } = JSON.parse(await service.conclude())
  expect(right).toBeGreaterThan(0)
  expect(unavailable).toBe(0)
})

test(
  'a build that is too old for a contraction says so, and does not start',
  async () => {
    const { url, service } = await setup()
    await migrateTo(url, { '29990101000000_drop_after_29980101000000': 'SELECT 1' })
    expect(await service.readiness()).toMatchObject({ status: 503, checks: { migrations: 'newer' } })
    await expect(startAnother(url)).rejects.toThrow(/the database is newer than this build/)
  },
  timeout,
)

test(
  'eight instances that migrate at once apply each migration once',
  async () => {
    const home = await temporaryFolder()
    onTestFinished(home.remove)
    const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
    onTestFinished(remove)
    const migrate = () => spawnSaleproof(['migrate'], { cwd: home.folder, env: environmentFor(url) })
    const results = await Promise.all(Array.from({ length: 8 }, migrate))
    expect(results.map(({ code }) => code)).toEqual(Array(8).fill(0))
    const applied = results.flatMap(({ stderr }) => stderr.match(/\d{14}_\w+/g) ?? []).sort()
    const { rows } = await (await connectTo(url)).query(
      'SELECT migration_name FROM _prisma_migrations ORDER BY 1',
    )
    expect(applied).toEqual(rows.map(({ migration_name: name }) => name))
  },
  timeout,
)
