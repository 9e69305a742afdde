import type { LastUsedBy } from '@saleproof/schema/console'
import type { CountRow } from './counts.ts'
import type { Statistics, StatisticsQuery } from './statistics-tables.ts'

/** A use of a key. */
export interface KeyUse extends LastUsedBy {
  /** In milliseconds since 1970. */
  at: number
}

/** The last use of a key. */
export interface LastUse {
  at: Date
  by: LastUsedBy | null
}

/** The last uses of keys by their ids. */
export type LastUses = ReadonlyMap<string, LastUse>

/** Reads the last uses of some keys, or of all: a deployment may have far more keys than a workspace. */
export type ReadLastUses = (keyIds?: readonly string[]) => Promise<LastUses>

/** Stores the last uses of keys, a few minutes behind, and the validation counts, a second behind. */
export interface UsageStore {
  /** Keeps the later of the stored and the new use of each key. */
  recordKeyUse: (uses: ReadonlyMap<string, KeyUse>) => void | Promise<void>
  /** Appends the counts since the last call. */
  appendCounts: (rows: readonly CountRow[], at: number) => void | Promise<void>
  /** Adds the appended counts to their hours, and deletes hours before the oldest one to keep. */
  rollUp: (oldestHour: number) => void | Promise<void>
  /** The counts that were rolled up. */
  statistics: (query: StatisticsQuery) => Statistics | Promise<Statistics>
}
