import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createSqliteMigrator } from '../../src/db/sqlite/migrate.ts'
import { temporaryFolder } from '../support/folders.ts'

const clock = () => new Date()

// Enough rows that another process finds the migration under way.
const slow = `CREATE TABLE "Many" ("n" INTEGER);
INSERT INTO "Many" WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series LIMIT 3000000)
SELECT n FROM series;
DELETE FROM "Account";`

const script = `
  import { createSqliteMigrator } from ${JSON.stringify(new URL('../../src/db/sqlite/migrate.ts', import.meta.url).href)}
  const [file, folder] = process.argv.slice(1)
  const { applied } = await createSqliteMigrator({ databaseFile: file, migrations: folder, clock: () => new Date() }).apply()
  process.stdout.write(JSON.stringify(applied))`

/** A database with a row, and a slow migration that is pending. */
async function setup() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  const migrations = join(folder, 'migrations')
  const write = (name: string, sql: string) => {
    mkdirSync(join(migrations, name), { recursive: true })
    writeFileSync(join(migrations, name, 'migration.sql'), sql)
  }
  write('1_first', 'CREATE TABLE "Account" ("id" TEXT PRIMARY KEY NOT NULL);')
  const migrator = () => createSqliteMigrator({ databaseFile: file, migrations, clock })
  await migrator().apply()
  const database = new Sqlite(file, { timeout: 0 })
  onTestFinished(() => void database.close())
  database.exec(`INSERT INTO "Account" VALUES ('a')`)
  write('2_slow', slow)
  const start = () =>
    spawn(process.execPath, ['--input-type=module', '-e', script, file, migrations], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  return { database, migrator, start }
}

async function untilLocked(database: Sqlite.Database) {
  for (;;) {
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
    } catch (error) {
      expect(error).toMatchObject({ code: 'SQLITE_BUSY' })
      return
    }
    await sleep(5)
  }
}

async function result(child: ReturnType<typeof spawn>) {
  let text = ''
  child.stdout!.on('data', (piece) => {
    text += piece
  })
  const [code] = await once(child, 'close')
  return { code, applied: JSON.parse(text) as string[] }
}

test('a migration that is killed leaves the database as it was, and can be applied then', async () => {
  const { database, migrator, start } = await setup()
  const child = start()
  await untilLocked(database)
  child.kill('SIGKILL')
  expect((await once(child, 'close'))[1]).toBe('SIGKILL')
  expect(await migrator().status()).toEqual({ applied: ['1_first'], pending: ['2_slow'] })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.prepare('SELECT * FROM "Account"').all()).toEqual([{ id: 'a' }])
  expect((await migrator().apply()).applied).toEqual(['2_slow'])
})

test('of two processes that start at once one applies, and both go on', async () => {
  const { database, start } = await setup()
  const results = await Promise.all([result(start()), result(start())])
  expect(results.map(({ code }) => code)).toEqual([0, 0])
  expect(results.flatMap(({ applied }) => applied)).toEqual(['2_slow'])
  expect(database.prepare('SELECT count(*) FROM _prisma_migrations').pluck().get()).toBe(2)
})

test('a new file that another process writes to is waited for', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  const holder = `
    import Sqlite from ${JSON.stringify(import.meta.resolve('better-sqlite3'))}
    const database = new Sqlite(process.argv[1])
    database.exec('BEGIN IMMEDIATE')
    process.stdout.write('locked')
    setTimeout(() => database.exec('COMMIT'), 400)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const migrations = join(folder, 'migrations')
  mkdirSync(join(migrations, '1_first'), { recursive: true })
  writeFileSync(join(migrations, '1_first/migration.sql'), 'CREATE TABLE "Account" ("id" TEXT);')
  expect((await createSqliteMigrator({ databaseFile: file, migrations, clock }).apply()).applied).toEqual([
    '1_first',
  ])
})
