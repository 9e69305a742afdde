import type { ErrorCode } from '@saleproof/schema'

/** What is counted of validations: how they ended by key, what was proven by item, how long they took. */
export type CountKind = 'key' | 'item' | 'duration'

/** So many in one hour: the name is a key, an item or the place of a duration in `durationLimits`; the code is `''` for a success. */
export type CountRow = [
  workspaceId: string,
  hour: number,
  kind: CountKind,
  name: string,
  code: ErrorCode | '',
  count: number,
]

/** A validation that ended. */
export interface Counted {
  workspaceId: string
  keyId: string
  itemId: number | undefined
  code: ErrorCode | null
  durationMs: number
}

export const hourMs = 3_600_000

/** Up to how many milliseconds; the last is without end. */
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

interface HourOfWorkspace {
  keys: Map<string, Map<ErrorCode | '', number>>
  items: Map<number, number>
  durations: number[]
}

/** More names than this in one batch are not kept apart: an hour that could not be written must not fill the memory. */
const mostNames = 200_000

const increase = <Name>(counts: Map<Name, number>, name: Name) =>
  counts.set(name, (counts.get(name) ?? 0) + 1)

/** Counts in memory until they are taken. What happens for each validation are a few look-ups and additions. */
export function createCounts() {
  let hours = new Map<number, Map<string, HourOfWorkspace>>()
  let names = 0

  function placeOf(workspaceId: string, hour: number): HourOfWorkspace {
    let workspaces = hours.get(hour)
    if (!workspaces) {
      workspaces = new Map()
      hours.set(hour, workspaces)
    }
    let place = workspaces.get(workspaceId)
    if (!place) {
      place = { keys: new Map(), items: new Map(), durations: durationLimits.map(() => 0) }
      workspaces.set(workspaceId, place)
    }
    return place
  }

  return {
    add({ workspaceId, keyId, itemId, code, durationMs }: Counted, hour: number) {
      const { keys, items, durations } = placeOf(workspaceId, hour)
      let codes = keys.get(keyId)
      if (!codes) {
        codes = new Map()
        keys.set(keyId, codes)
      }
      increase(codes, code ?? '')
      let place = 0
      while (durationMs > durationLimits[place]!) place++
      durations[place]!++
      if (itemId === undefined || code !== null) return
      if (names >= mostNames && !items.has(itemId)) return
      names += items.has(itemId) ? 0 : 1
      increase(items, itemId)
    },

    /** All that was counted since it was taken last. */
    take(): CountRow[] {
      const rows: CountRow[] = []
      for (const [hour, workspaces] of hours) {
        for (const [workspaceId, { keys, items, durations }] of workspaces) {
          for (const [keyId, codes] of keys)
            for (const [code, count] of codes) rows.push([workspaceId, hour, 'key', keyId, code, count])
          for (const [itemId, count] of items)
            rows.push([workspaceId, hour, 'item', String(itemId), '', count])
          for (const [place, count] of durations.entries())
            if (count > 0) rows.push([workspaceId, hour, 'duration', String(place), '', count])
        }
      }
      hours = new Map()
      names = 0
      return rows
    },
  }
}

/** Rows of the same place added up. */
export function sum(batches: Iterable<readonly CountRow[]>): CountRow[] {
  const sums = new Map<string, CountRow>()
  for (const rows of batches) {
    for (const row of rows) {
      const name = row.slice(0, 5).join('\n')
      const sum = sums.get(name)
      if (sum) sum[5] += row[5]
      else sums.set(name, [...row])
    }
  }
  return [...sums.values()]
}
