import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { usageFilePath } from '../db/location.ts'
import { openSqlite, type SqliteConnection } from '../db/sqlite/connection.ts'
import { sqliteErrors } from '../db/sqlite/errors.ts'
import type { CountRow } from './counts.ts'
import { createKeyUseTable } from './key-use-table.ts'
import { createStatisticsTables, type Statistics, type StatisticsQuery } from './statistics-tables.ts'
import type { KeyUse, LastUses, UsageStore } from './usage-store.ts'

/** Writes block the process. One that finds the file locked is retried later. */
const busyTimeoutMs = 50

export interface UsageFile extends UsageStore {
  recordKeyUse(uses: ReadonlyMap<string, KeyUse>): void
  lastUses(keyIds?: readonly string[]): LastUses
  appendCounts(rows: readonly CountRow[], at: number): void
  rollUp(oldestHour: number): void
  statistics(query: StatisticsQuery): Statistics
  close(): void
}

/** Creates the tables that a usage file lacks. */
export const createUsageTables = (database: SqliteConnection) => ({
  ...createKeyUseTable(database),
  ...createStatisticsTables(database),
})

export function openUsageFile(databaseFile: string): UsageFile {
  const file = usageFilePath(databaseFile)
  const open = () => {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    const connection = openSqlite(file, { timeoutMs: busyTimeoutMs })
    connection.pragma('journal_mode = WAL')
    // A power loss costs the last uses of a minute at most.
    connection.pragma('synchronous = NORMAL')
    return { connection, tables: createUsageTables(connection) }
  }
  const { connection, tables } = sqliteErrors(open)
  return {
    recordKeyUse: (uses) => sqliteErrors(() => tables.recordKeyUse(uses)),
    lastUses: (keyIds) => sqliteErrors(() => tables.lastUses(keyIds)),
    appendCounts: (rows, at) => sqliteErrors(() => tables.appendCounts(rows, at)),
    rollUp: (oldestHour) => sqliteErrors(() => tables.rollUp(oldestHour)),
    statistics: (query) => sqliteErrors(() => tables.statistics(query)),
    close: () => void connection.close(),
  }
}

function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** The usage file of a serving process: opened on first use, and again after it was deleted or replaced. */
export function monitorUsageFile(databaseFile: string) {
  const path = usageFilePath(databaseFile)
  let open: { file: UsageFile; identity: string | undefined } | undefined

  function close() {
    open?.file.close()
    open = undefined
  }

  return {
    use(): UsageFile {
      // SQLite would keep writing to the deleted file.
      if (open && open.identity !== identityOf(path)) close()
      if (!open) {
        const file = openUsageFile(databaseFile)
        open = { file, identity: identityOf(path) }
      }
      return open.file
    },
    close,
  }
}
