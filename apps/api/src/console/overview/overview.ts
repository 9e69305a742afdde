import { type ErrorCode, formatTimestamp } from '@saleproof/schema'
import type {
  ConsoleOverview,
  KeyCount,
  Latency,
  OutcomeCounts,
  OverviewPeriod,
  ValidationOutcome,
} from '@saleproof/schema/console'
import { durationLimits, hourMs } from '../../usage/counts.ts'
import type { Statistics, StatisticsQuery } from '../../usage/usage-store.ts'
import { bucketIndex, listBuckets, validationBuckets } from './periods.ts'

interface OverviewOptions {
  read: (query: StatisticsQuery) => Promise<Statistics>
  /** The names of a workspace's items that still exist, and what is shown of its keys. */
  itemNames: (workspaceId: number, ids: number[]) => Promise<ReadonlyMap<number, string>>
  keyNames: (
    workspaceId: number,
    ids: string[],
  ) => Promise<ReadonlyMap<string, Pick<KeyCount, 'name' | 'last_four'>>>
  now: () => number
}

export interface OverviewRequest {
  workspaceId: number
  period: OverviewPeriod
  timezone: string
}

const maxKeys = 20
/** A write that is late by less than this is tried again soon. */
const freshMs = 60_000
/** Requests time out before this, so that no duration is longer. */
const maxDurationMs = 30_000

const outcomes: Partial<Record<ErrorCode, ValidationOutcome>> = {
  purchase_not_found: 'not_found',
  purchase_not_active: 'not_active',
  rate_limited: 'limited',
  unavailable: 'failed',
  internal_error: 'failed',
}

const toOutcome = (code: ErrorCode | ''): ValidationOutcome =>
  code === '' ? 'valid' : (outcomes[code] ?? 'refused')

const noOutcomes = (): OutcomeCounts => ({
  valid: 0,
  not_found: 0,
  not_active: 0,
  refused: 0,
  limited: 0,
  failed: 0,
})

/** Upper bound of the bucket that contains the quantile. */
function quantile(durations: readonly number[], fraction: number): number {
  const total = durations.reduce((sum, count) => sum + count, 0)
  let below = 0
  const index = durations.findIndex((count) => {
    below += count
    return below >= fraction * total
  })
  return Math.min(durationLimits[index] ?? maxDurationMs, maxDurationMs)
}

const computeLatency = (durations: readonly number[]): Latency | null =>
  durations.some((count) => count > 0)
    ? { p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) }
    : null

const toTimestamp = (ms: number) => formatTimestamp(new Date(ms))

const noDurations = () => durationLimits.map(() => 0)

interface Series {
  total: number
  counts: number[]
}

function addTo(series: Series, index: number, count: number) {
  series.total += count
  series.counts[index] = (series.counts[index] ?? 0) + count
}

function addDuration(durations: number[], { name, count }: Statistics['rows'][number]) {
  const index = Number(name)
  durations[index] = (durations[index] ?? 0) + count
}

/** Sums up the rows of a period by bucket, item, key and error code. */
function sumUp(rows: Statistics['rows'], starts: readonly number[]) {
  const buckets = starts.map((start) => ({ start, outcomes: noOutcomes(), durations: noDurations() }))
  const total = noOutcomes()
  const durations = noDurations()
  const newSeries = (): Series => ({ total: 0, counts: starts.map(() => 0) })
  const items = new Map<string, Series>()
  const keys = new Map<string, Series & { valid: number }>()
  const failures = new Map<ErrorCode, number>()

  for (const row of rows) {
    const index = bucketIndex(starts, row.hour)
    const bucket = buckets[index]
    if (!bucket) continue
    if (row.kind === 'duration') {
      addDuration(bucket.durations, row)
      addDuration(durations, row)
    } else if (row.kind === 'item') {
      const item = items.get(row.name) ?? newSeries()
      items.set(row.name, item)
      addTo(item, index, row.count)
    } else if (row.kind === 'key') {
      const outcome = toOutcome(row.code)
      bucket.outcomes[outcome] += row.count
      total[outcome] += row.count
      const key = keys.get(row.name) ?? { ...newSeries(), valid: 0 }
      keys.set(row.name, key)
      addTo(key, index, row.count)
      if (row.code === '') key.valid += row.count
      else failures.set(row.code, (failures.get(row.code) ?? 0) + row.count)
    }
  }
  return { buckets, total, durations, items, keys, failures }
}

const mostFirst = (a: [unknown, Series], b: [unknown, Series]) => b[1].total - a[1].total

/** The validations of a workspace in a period. */
export function createOverview({ read, itemNames, keyNames, now }: OverviewOptions) {
  return async function overview(request: OverviewRequest): Promise<Omit<ConsoleOverview, 'exposed_keys'>> {
    const { workspaceId, period, timezone } = request
    const { bucket, starts, end } = listBuckets(period, timezone, now(), validationBuckets)
    const [start = end] = starts
    const { rows, items, flushedAt } = await read({
      workspaceId,
      from: Math.floor(start / hourMs),
      to: Math.ceil(end / hourMs),
    })
    const sums = sumUp(rows, starts)
    const itemName = await itemNames(workspaceId, items.map(Number))
    const keys = [...sums.keys].sort(mostFirst).slice(0, maxKeys)
    const keyName = await keyNames(
      workspaceId,
      keys.map(([id]) => id),
    )
    return {
      period,
      timezone,
      bucket,
      buckets: sums.buckets.map(({ start, outcomes, durations }) => ({
        start: toTimestamp(start),
        outcomes,
        latency: computeLatency(durations),
      })),
      total: sums.total,
      latency: computeLatency(sums.durations),
      items: [...sums.items]
        .sort(mostFirst)
        .map(([id, series]) => ({ item_id: Number(id), name: itemName.get(Number(id)) ?? null, ...series })),
      keys: keys.map(([id, series]) => ({
        key_id: id,
        ...(keyName.get(id) ?? { name: null, last_four: null }),
        ...series,
      })),
      failures: [...sums.failures].sort((a, b) => b[1] - a[1]).map(([code, count]) => ({ code, count })),
      flushed_at: flushedAt === undefined ? null : toTimestamp(flushedAt),
      up_to_date: flushedAt !== undefined && now() - flushedAt < freshMs,
    }
  }
}
