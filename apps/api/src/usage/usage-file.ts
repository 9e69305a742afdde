import { closeSync, existsSync, openSync } from 'node:fs'
import Sqlite, { type Database } from 'better-sqlite3'
import type { CountRow } from './counts.ts'
import { createKeyUseTable } from './key-use-table.ts'
import { createStatisticsTables, type Statistics, type StatisticsQuery } from './statistics-tables.ts'
import type { KeyUse, LastUses, UsageStore } from './usage-store.ts'

/** The file beside the database that what traffic writes goes to: in the database itself each write would empty every cache. */
export const trafficFile = (databaseFile: string) => `${databaseFile}.traffic`

/** The process waits with a write; what cannot be written now is written with the next. */
const busyTimeoutMs = 50

export interface UsageFile extends UsageStore {
  noteKeyUse(uses: ReadonlyMap<string, KeyUse>): void
  lastUses(keyIds?: readonly string[]): LastUses
  appendCounts(rows: readonly CountRow[], at: number): void
  rollUp(oldestHour: number): void
  statistics(query: StatisticsQuery): Statistics
  close(): void
}

/** Makes what a traffic file holds, as far as it is not there. */
export function makeTrafficTables(database: Database) {
  createKeyUseTable(database)
  createStatisticsTables(database)
}

export function openUsageFile(databaseFile: string): UsageFile {
  const file = trafficFile(databaseFile)
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = new Sqlite(file, { timeout: busyTimeoutMs })
  database.pragma('journal_mode = WAL')
  // What is lost with the power are the last uses of a minute.
  database.pragma('synchronous = NORMAL')
  return {
    ...createKeyUseTable(database),
    ...createStatisticsTables(database),
    close: () => void database.close(),
  }
}
