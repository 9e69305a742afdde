import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, migrationsList, missingMigration, withEngine } from '../../scripts/migration-engine.ts'
import { migrations, temporaryFolder } from '../../test/support/folders.ts'
import { readMigrations } from './migration-history.ts'
import { createSqliteMigrator } from './sqlite/migrate.ts'

const clock = () => new Date('2026-11-21T12:00:00.000Z')
const input = {
  migrationsList: migrationsList(migrations, 'sqlite'),
  filters: { externalTables: [], externalEnums: [] },
}

async function temporaryFile() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  return join(folder, 'test.db')
}

/** Everything that the database is made of, our own order of making it aside. */
function definition(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all()
  database.close()
  return rows
}

const diagnose = async (engine: Engine) => [
  await engine.devDiagnostic(input as never),
  await engine.diagnoseMigrationHistory({ ...input, optInToShadowDatabase: true } as never),
  await engine.applyMigrations(input as never),
]

const inOrder = [
  { action: { tag: 'createMigration' } },
  { editedMigrationNames: [], failedMigrationNames: [], hasMigrationsTable: true, history: null },
  { appliedMigrationNames: [] },
]

test('the migrations give the schema', async () => {
  expect(await missingMigration('sqlite', migrations)).toBeUndefined()
})

// Prisma cannot say it, and drops it where it rebuilds a table.
test('after each migration a table with a key of several columns is clustered by it', () => {
  const database = new Sqlite(':memory:')
  const tables = database.prepare<[], { name: string; wr: 0 | 1; columns: number }>(
    `SELECT name, wr, (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0) AS columns
     FROM pragma_table_list t WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  for (const { sql } of readMigrations(migrations)) {
    database.exec(sql)
    const found = tables.all()
    expect(found.map(({ name }) => name)).toContain('Purchase')
    expect(found.filter(({ wr, columns }) => Boolean(wr) !== columns > 1)).toEqual([])
  }
  database.close()
})

test('a schema without its migration is noticed', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const empty = join(folder, 'migrations')
  mkdirSync(empty)
  expect(await missingMigration('sqlite', empty)).toContain('CREATE TABLE "Purchase"')
})

test('Prisma’s own engine finds nothing to do in a database that was migrated here', async () => {
  const file = await temporaryFile()
  await createSqliteMigrator({ databaseFile: file, migrations, clock }).apply()
  expect(await withEngine('sqlite', file, diagnose)).toEqual(inOrder)
})

test('a database that Prisma’s own engine migrated is the same and is taken', async () => {
  const file = await temporaryFile()
  const prismas = await temporaryFile()
  await createSqliteMigrator({ databaseFile: file, migrations, clock }).apply()
  await withEngine('sqlite', prismas, (engine) => engine.applyMigrations(input as never))
  expect(definition(prismas)).toEqual(definition(file))
  expect((await createSqliteMigrator({ databaseFile: prismas, migrations, clock }).status()).pending).toEqual(
    [],
  )
})
