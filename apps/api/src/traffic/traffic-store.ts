import type { CountRow } from './counts.ts'
import type { Statistics, StatisticsQuery } from './statistics-tables.ts'

/** Where it is kept when keys were used last, at most a few minutes behind, and what validations were counted, a second behind. */
export interface TrafficStore {
  /** Keeps the later of what is given and what is there; in milliseconds since 1970. */
  noteKeyUse: (uses: ReadonlyMap<string, number>) => void | Promise<void>
  /** Keeps what was counted since this was called last, and when. */
  appendCounts: (rows: readonly CountRow[], at: number) => void | Promise<void>
  /** Adds what was appended to the counts of its hours, and forgets the hours before one. */
  foldCounts: (oldestHour: number) => void | Promise<void>
  /** What is counted of a workspace, as far as it is folded. */
  statistics: (query: StatisticsQuery) => Statistics | Promise<Statistics>
}
