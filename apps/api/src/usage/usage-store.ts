import type { ErrorCode, OperationName } from '@saleproof/schema'
import type { LastUsedBy } from '@saleproof/schema/console'
import { type SqlSteps, select } from '../db/sql-steps.ts'
import type { CountKind, CountRow } from './counts.ts'

export interface KeyUse extends LastUsedBy {
  /** In milliseconds since 1970. */
  at: number
}

export interface LastUse {
  at: Date
  by: LastUsedBy | null
}

export type LastUses = ReadonlyMap<string, LastUse>

/** Reads the last uses of some keys, or of all: a deployment may have far more keys than a workspace. */
export type ReadLastUses = (keyIds?: readonly string[]) => Promise<LastUses>

/** `operation` and `client` are null for uses from before they were stored. */
export interface KeyUseRow {
  keyId: string
  lastUsedAt: number | string
  operation: OperationName | null
  client: string | null
}

export const lastUsesOf = (rows: readonly KeyUseRow[]): LastUses =>
  new Map(
    rows.map(({ keyId, lastUsedAt, operation, client }) => [
      keyId,
      { at: new Date(Number(lastUsedAt)), by: operation && { operation, client: client ?? '' } },
    ]),
  )

export interface StatisticsQuery {
  workspaceId: string
  /** Hours since 1970; the first is included, the last is not. */
  from: number
  to: number
}

export interface Statistics {
  rows: readonly { hour: number; kind: CountKind; name: string; code: ErrorCode | ''; count: number }[]
  /** The items with the most validations; `rows` contains no other items. */
  items: readonly string[]
  /** In milliseconds since 1970; undefined where nothing was written yet. */
  flushedAt: number | undefined
}

const maxItems = 20
const hours = `FROM "Counts" WHERE "workspaceId" = $1 AND "hour" >= $2 AND "hour" < $3`

export function* readStatistics({ workspaceId, from, to }: StatisticsQuery): SqlSteps<Statistics> {
  const range = [workspaceId, from, to]
  const top = yield* select<{ name: string }>(
    `SELECT "name" ${hours} AND "kind" = 'item'
     GROUP BY "name" ORDER BY sum("count") DESC, "name" LIMIT ${maxItems}`,
    ...range,
  )
  const items = top.map(({ name }) => name)
  const rows = yield* select<Statistics['rows'][number]>(
    `SELECT "hour", "kind", "name", "code", "count" ${hours}
     AND ("kind" <> 'item' OR "name" IN (${['NULL', ...items.map((_, index) => `$${index + 4}`)].join(', ')}))`,
    ...range,
    ...items,
  )
  const [written] = yield* select<{ at: number }>('SELECT "at" FROM "CountsWritten"')
  return { rows, items, flushedAt: written?.at }
}

/** Stores the last uses of keys, a few minutes behind, and the validation counts, a second behind. */
export interface UsageStore {
  /** Keeps the later of the stored and the new use of each key. */
  recordKeyUse: (uses: ReadonlyMap<string, KeyUse>) => void | Promise<void>
  appendCounts: (rows: readonly CountRow[], at: number) => void | Promise<void>
  /** Adds the appended counts to their hours, and deletes hours before the oldest one to keep. */
  rollUp: (oldestHour: number) => void | Promise<void>
  statistics: (query: StatisticsQuery) => Statistics | Promise<Statistics>
}
