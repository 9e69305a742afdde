import type { ErrorCode } from '@saleproof/schema'
import { isErrorCode } from '@saleproof/schema/constants'
import { getOrAdd } from '../get-or-add.ts'
import type { RequestEvent } from '../http/request-event.ts'

/** What validations are counted by: outcomes by key, successes by item, passes by signing key, durations by bucket. */
export type CountKind = 'key' | 'item' | 'pass' | 'duration'

/** A count of one hour. The name is a key, an item, a signing key or an index into `durationLimits`; the code is `''` for a success. */
export type CountRow = [
  workspaceId: number,
  hour: number,
  kind: CountKind,
  name: string,
  code: ErrorCode | '',
  count: number,
]

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
  passes: Map<string, number>
  durations: number[]
}

/** More items than this are not counted until some are taken: a store that cannot be written must not fill the memory. */
const maxItems = 200_000

const increment = <Name>(counts: Map<Name, number>, name: Name) =>
  counts.set(name, (counts.get(name) ?? 0) + 1)

const newHour = (): HourCounts => ({
  keys: new Map(),
  items: new Map(),
  passes: new Map(),
  durations: durationLimits.map(() => 0),
})

/** Counts validations for their sellers: a request only adds to numbers in memory. */
export function createCounts(now: () => number) {
  const hours = new Map<number, Map<number, HourCounts>>()
  let itemCount = 0

  function countsOfHour(hour: number, workspaceId: number): HourCounts {
    const workspaces = getOrAdd(hours, hour, () => new Map<number, HourCounts>())
    return getOrAdd(workspaces, workspaceId, newHour)
  }

  function addItem({ items }: HourCounts, itemId: number) {
    if (!items.has(itemId)) {
      if (itemCount >= maxItems) return
      itemCount++
    }
    increment(items, itemId)
  }

  return {
    observe(event: RequestEvent) {
      const { workspace, keyId, refusedKey, code, durationMs } = event
      if (event.operation !== 'validatePurchase') return
      const workspaceId = workspace ?? refusedKey?.workspaceId
      const usedKey = keyId ?? refusedKey?.keyId
      // An unknown key belongs to no workspace.
      if (workspaceId === undefined || usedKey === undefined) return
      // An operation fails with no code of the console's.
      if (code !== null && !isErrorCode(code)) return
      const counts = countsOfHour(Math.floor(now() / hourMs), workspaceId)
      increment(
        getOrAdd(counts.keys, usedKey, () => new Map<ErrorCode | '', number>()),
        code ?? '',
      )
      let bucket = 0
      while (durationMs > (durationLimits[bucket] ?? durationMs)) bucket++
      counts.durations[bucket] = (counts.durations[bucket] ?? 0) + 1
      if (event.validated && code === null) addItem(counts, event.validated.itemId)
      if (event.signingKeyId !== undefined) increment(counts.passes, event.signingKeyId)
    },

    /** Takes the counts, of items no more than the limit, those first that were counted first. */
    take(itemLimit: number): CountRow[] {
      const rows: CountRow[] = []
      let itemsLeft = itemLimit
      for (const [hour, workspaces] of hours) {
        for (const [workspaceId, counts] of [...workspaces]) {
          const { keys, items, passes, durations } = counts
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
          for (const [keyId, count] of passes) rows.push([workspaceId, hour, 'pass', keyId, '', count])
          keys.clear()
          passes.clear()
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
