import type { ErrorCode } from '@saleproof/schema'
import {
  type ConsoleOverview,
  type Latency,
  type OutcomeCounts,
  type OverviewPeriod,
  type OverviewSeries,
  type ValidationOutcome,
  validationOutcomes,
} from '@saleproof/schema/console'
import { durationLimits, hourMs } from '../../usage/counts.ts'
import type { Statistics, StatisticsQuery } from '../../usage/statistics-tables.ts'
import { bucketsOf } from './periods.ts'

interface OverviewOptions {
  read: (query: StatisticsQuery) => Promise<Statistics>
  /** The names of items and keys of a workspace, as far as there are such. */
  itemNames: (workspaceId: string, ids: number[]) => Promise<ReadonlyMap<number, string>>
  keyNames: (workspaceId: string) => Promise<ReadonlyMap<string, string>>
  now: () => number
}

export interface OverviewRequest {
  workspaceId: string
  period: OverviewPeriod
  timezone: string
}

/** Of how many keys there are rows of their own. */
const mostKeys = 20
/** A request that takes longer is cut off, so nothing took longer. */
const longestMs = 30_000

const outcomes: Partial<Record<ErrorCode, ValidationOutcome>> = {
  purchase_not_found: 'not_found',
  purchase_not_active: 'not_active',
  rate_limited: 'limited',
  unavailable: 'failed',
  internal_error: 'failed',
}

const outcomeOf = (code: string): ValidationOutcome =>
  code === '' ? 'valid' : (outcomes[code as ErrorCode] ?? 'refused')

const noOutcomes = () =>
  Object.fromEntries(validationOutcomes.map((outcome) => [outcome, 0])) as OutcomeCounts

/** The limit of the durations that the part of all lies below. */
function quantile(durations: readonly number[], part: number): number {
  const all = durations.reduce((sum, count) => sum + count, 0)
  let below = 0
  const place = durations.findIndex((count) => {
    below += count
    return below >= part * all
  })
  return Math.min(durationLimits[place] ?? longestMs, longestMs)
}

const latencyOf = (durations: readonly number[]): Latency | null =>
  durations.some((count) => count > 0)
    ? { p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) }
    : null

const toTime = (moment: number) => new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z')

/** The bucket of an hour. The one that a time zone begins within an hour starts with the next. */
function placer(edges: readonly number[]) {
  let place = 0
  return (hour: number) => {
    const moment = hour * hourMs
    if (moment < edges[place]!) place = 0
    while (place < edges.length - 2 && moment >= edges[place + 1]!) place++
    return place
  }
}

/** Everything of a period, added up. */
function createSums(edges: readonly number[]) {
  const count = edges.length - 1
  const series = (): OverviewSeries => ({ total: 0, counts: Array.from({ length: count }, () => 0) })
  const sums = {
    buckets: Array.from({ length: count }, () => ({
      outcomes: noOutcomes(),
      durations: durationLimits.map(() => 0),
    })),
    total: noOutcomes(),
    durations: durationLimits.map(() => 0),
    items: new Map<string, OverviewSeries>(),
    keys: new Map<string, OverviewSeries & { valid: number }>(),
    failures: new Map<string, number>(),
  }
  const placeOf = placer(edges)

  function addToSeries(series: OverviewSeries, place: number, number: number) {
    series.total += number
    series.counts[place]! += number
  }

  function addOfKey(place: number, { name, code, count }: Statistics['rows'][number]) {
    const outcome = outcomeOf(code)
    sums.buckets[place]!.outcomes[outcome] += count
    sums.total[outcome] += count
    const key = sums.keys.get(name) ?? { ...series(), valid: 0 }
    sums.keys.set(name, key)
    addToSeries(key, place, count)
    if (outcome === 'valid') key.valid += count
    else sums.failures.set(code, (sums.failures.get(code) ?? 0) + count)
  }

  return {
    sums,
    add(row: Statistics['rows'][number]) {
      const place = placeOf(row.hour)
      if (row.kind === 'key') return addOfKey(place, row)
      if (row.kind === 'duration') {
        sums.buckets[place]!.durations[Number(row.name)]! += row.count
        sums.durations[Number(row.name)]! += row.count
        return
      }
      const item = sums.items.get(row.name) ?? series()
      sums.items.set(row.name, item)
      addToSeries(item, place, row.count)
    },
  }
}

const mostFirst = (a: [unknown, OverviewSeries], b: [unknown, OverviewSeries]) => b[1].total - a[1].total

/** What happened to the validations of a workspace in a period. */
export function createOverview({ read, itemNames, keyNames, now }: OverviewOptions) {
  return async function overview(request: OverviewRequest): Promise<ConsoleOverview> {
    const { workspaceId, period, timezone } = request
    const { bucket, edges } = bucketsOf(period, timezone, now())
    const [from, to] = [edges[0]!, edges.at(-1)!]
    const hours = { from: Math.ceil(from / hourMs), to: Math.ceil(to / hourMs) }
    const { rows, items, flushedAt } = await read({ workspaceId, ...hours })
    const { sums, add } = createSums(edges)
    for (const row of rows.toSorted((a, b) => a.hour - b.hour)) add(row)
    const names = {
      items: await itemNames(workspaceId, items.map(Number)),
      keys: await keyNames(workspaceId),
    }
    return {
      ...{ period, timezone, bucket, from: toTime(from), to: toTime(to) },
      buckets: sums.buckets.map(({ outcomes, durations }, place) => ({
        ...{ start: toTime(edges[place]!), outcomes, latency: latencyOf(durations) },
      })),
      total: sums.total,
      latency: latencyOf(sums.durations),
      latency_histogram: sums.durations.map((count, place) => {
        const limit = durationLimits[place]!
        return { up_to_ms: Number.isFinite(limit) ? limit : null, count }
      }),
      items: [...sums.items].sort(mostFirst).map(([id, { total, counts }]) => ({
        ...{ item_id: Number(id), name: names.items.get(Number(id)) ?? null, total, counts },
      })),
      keys: [...sums.keys]
        .sort(mostFirst)
        .slice(0, mostKeys)
        .map(([id, { total, counts, valid }]) => ({
          ...{ key_id: id, name: names.keys.get(id) ?? null, total, counts, valid },
        })),
      failures: [...sums.failures]
        .sort((a, b) => b[1] - a[1])
        .map(([code, count]) => ({ code: code as ErrorCode, count })),
      flushed_at: flushedAt === undefined ? null : toTime(flushedAt),
    }
  }
}

export type Overview = ReturnType<typeof createOverview>
