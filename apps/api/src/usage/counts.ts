import type { ErrorCode } from '@saleproof/schema'
import { getOrAdd } from '../get-or-add.ts'

/** What validations are counted by: outcomes by key, successes by item, durations by bucket. */
export type CountKind = 'key' | 'item' | 'duration'

/** A count of one hour. The name is a key, an item or an index into `durationLimits`; the code is `''` for a success. */
export type CountRow = [
  workspaceId: number,
  hour: number,
  kind: CountKind,
  name: string,
  code: ErrorCode | '',
  count: number,
]

export interface Validation {
  workspaceId: number
  keyId: string
  itemId: number | undefined
  code: ErrorCode | null
  durationMs: number
}

export const hourMs = 3_600_000

/** The upper bounds of the duration buckets in milliseconds. */
export const durationLimits: readonly number[] = [
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  25,
  50,
  100,
  250,
  1000,
  5000,
  Number.POSITIVE_INFINITY,
]

interface HourCounts {
  keys: Map<string, Map<ErrorCode | '', number>>
  items: Map<number, number>
  durations: number[]
}

/** More items than this are not counted until some are taken: a store that cannot be written must not fill the memory. */
const maxItems = 200_000

const increment = <Name>(counts: Map<Name, number>, name: Name) =>
  counts.set(name, (counts.get(name) ?? 0) + 1)

const newHour = (): HourCounts => ({
  keys: new Map(),
  items: new Map(),
  durations: durationLimits.map(() => 0),
})

export function createCounts() {
  const hours = new Map<number, Map<number, HourCounts>>()
  let itemCount = 0

  return {
    add({ workspaceId, keyId, itemId, code, durationMs }: Validation, hour: number) {
      const workspaces = getOrAdd(hours, hour, () => new Map<number, HourCounts>())
      const { keys, items, durations } = getOrAdd(workspaces, workspaceId, newHour)
      const codes = getOrAdd(keys, keyId, () => new Map<ErrorCode | '', number>())
      increment(codes, code ?? '')
      let bucket = 0
      while (durationMs > (durationLimits[bucket] ?? durationMs)) bucket++
      durations[bucket] = (durations[bucket] ?? 0) + 1
      if (itemId === undefined || code !== null) return
      if (!items.has(itemId)) {
        if (itemCount >= maxItems) return
        itemCount++
      }
      increment(items, itemId)
    },

    /** Takes the counts, of items no more than the limit, those first that were counted first. */
    take(itemLimit: number): CountRow[] {
      const rows: CountRow[] = []
      let itemsLeft = itemLimit
      for (const [hour, workspaces] of hours) {
        for (const [workspaceId, counts] of [...workspaces]) {
          const { keys, items, durations } = counts
          const waiting = items.size
          for (const [keyId, codes] of keys)
            for (const [code, count] of codes) rows.push([workspaceId, hour, 'key', keyId, code, count])
          for (const [itemId, count] of items) {
            if (itemsLeft-- <= 0) break
            rows.push([workspaceId, hour, 'item', String(itemId), '', count])
            items.delete(itemId)
            itemCount--
          }
          for (const [bucket, count] of durations.entries())
            if (count > 0) rows.push([workspaceId, hour, 'duration', String(bucket), '', count])
          keys.clear()
          durations.fill(0)
          if (items.size > 0 && items.size === waiting) continue
          workspaces.delete(workspaceId)
          // The next time others come first.
          if (items.size > 0) workspaces.set(workspaceId, counts)
        }
        if (workspaces.size === 0) hours.delete(hour)
      }
      return rows
    },
  }
}

/** Sums up rows of the same hour, kind, name and code. */
export function sum(batches: Iterable<readonly CountRow[]>): CountRow[] {
  const sums = new Map<string, CountRow>()
  for (const rows of batches) {
    for (const row of rows) {
      const key = row.slice(0, 5).join('\n')
      const sum = sums.get(key)
      if (sum) sum[5] += row[5]
      else sums.set(key, [...row])
    }
  }
  return [...sums.values()]
}
