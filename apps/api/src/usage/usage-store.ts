import type { LastUsedBy } from '@saleproof/schema/console'
import type { CountRow } from './counts.ts'
import type { Statistics, StatisticsQuery } from './statistics-tables.ts'

/** A use of a key; in milliseconds since 1970. */
export interface KeyUse extends LastUsedBy {
  at: number
}

/** When a key was used last, and by what, where that is known. */
export interface LastUse {
  at: Date
  by: LastUsedBy | null
}

/** The last uses of keys, by their ids. */
export type LastUses = ReadonlyMap<string, LastUse>

/** Reads the last uses of some keys, or of all: a deployment may have far more keys than a workspace. */
export type ReadLastUses = (keyIds?: readonly string[]) => Promise<LastUses>

/** Where it is kept when keys were used last, at most a few minutes behind, and what validations were counted, a second behind. */
export interface UsageStore {
  /** Keeps the later of what is given and what is there, by the id of the key. */
  noteKeyUse: (uses: ReadonlyMap<string, KeyUse>) => void | Promise<void>
  /** Keeps what was counted since this was called last, and when. */
  appendCounts: (rows: readonly CountRow[], at: number) => void | Promise<void>
  /** Adds what was appended to the counts of its hours, and forgets the hours before one. */
  rollUp: (oldestHour: number) => void | Promise<void>
  /** What is counted of a workspace, as far as it is folded. */
  statistics: (query: StatisticsQuery) => Statistics | Promise<Statistics>
}
