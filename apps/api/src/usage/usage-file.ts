import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import Sqlite, { type Database } from 'better-sqlite3'
import { usageFilePath } from '../db/location.ts'
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
export const createUsageTables = (database: Database) => ({
  ...createKeyUseTable(database),
  ...createStatisticsTables(database),
})

export function openUsageFile(databaseFile: string): UsageFile {
  const file = usageFilePath(databaseFile)
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = new Sqlite(file, { timeout: busyTimeoutMs })
  database.pragma('journal_mode = WAL')
  // A power loss costs the last uses of a minute at most.
  database.pragma('synchronous = NORMAL')
  return { ...createUsageTables(database), close: () => void database.close() }
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
