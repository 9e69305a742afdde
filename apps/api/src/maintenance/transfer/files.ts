import { closeSync, existsSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { usageFilePath } from '../../db/location.ts'
import { requireNoneOf } from '../../db/migration-error.ts'
import { pragmaRows, type SqliteConnection } from '../../db/sqlite/connection.ts'
import { openExclusively } from '../../db/sqlite/lock.ts'
import { createMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { createUsageTables } from '../../usage/sqlite-usage-tables.ts'
import { UserError } from '../../user-error.ts'
import type { Databases } from './file-side.ts'

export function requireMigratedFile(options: MigratorOptions) {
  const { databaseFile: file } = options
  if (!existsSync(file)) throw new UserError(`there is no database ${file}`)
  const { applied, pending } = createMigrator(options).status()
  if (applied.length === 0) throw new UserError(`${file} holds no deployment`)
  const advice = `run "saleproof migrate" with DATABASE_URL=file:${file} first`
  requireNoneOf(pending, { subject: `the database ${file}`, advice })
}

/** A deployment without a usage file was never used. */
function openUsage(databaseFile: string): SqliteConnection {
  const file = usageFilePath(databaseFile)
  const database = new Sqlite(existsSync(file) ? file : ':memory:')
  createUsageTables(database)
  return database
}

/** Opens the files of a deployment that no other process has open. */
export function openFiles(databaseFile: string): Databases {
  const main = openExclusively(databaseFile)
  main.pragma('synchronous = FULL')
  return { main, traffic: openUsage(databaseFile) }
}

export function closeFiles({ main, traffic }: Databases) {
  traffic.close()
  main.close()
}

/** Drafts are written once, and synced when they are complete. */
const draftPragmas = ['journal_mode = MEMORY', 'synchronous = OFF', 'foreign_keys = OFF']

/** Creates the empty files of a deployment, for the transfer alone. */
export function makeDrafts(options: MigratorOptions): Databases {
  const { databaseFile: draft } = options
  createMigrator(options).apply()
  closeSync(openSync(usageFilePath(draft), 'wx', 0o600))
  const databases = { main: new Sqlite(draft), traffic: new Sqlite(usageFilePath(draft)) }
  for (const database of Object.values(databases)) for (const pragma of draftPragmas) database.pragma(pragma)
  createUsageTables(databases.traffic)
  return databases
}

interface SchemaObject {
  type: 'index' | 'trigger'
  name: string
  sql: string
}

/** Drops triggers and indexes, and returns a function that creates them again: triggers would change rows, and building an index sorted is faster. */
export function dropIndexesAndTriggers({ main }: Databases): () => void {
  const dropped = main
    .prepare<[], SchemaObject>(
      `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`,
    )
    .all()
  for (const { type, name } of dropped) main.exec(`DROP ${type} "${name}"`)
  return () => {
    for (const { sql } of dropped) main.exec(sql)
  }
}

export function finishDrafts(databases: Databases) {
  const broken = pragmaRows(databases.main, 'foreign_key_check')
  if (broken.length)
    throw new UserError(`${broken.length} rows refer to others that are not there: nothing was transferred`)
  for (const database of Object.values(databases)) database.pragma('journal_mode = WAL')
  closeFiles(databases)
}
