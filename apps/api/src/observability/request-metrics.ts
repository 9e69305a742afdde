import { type ErrorCode, errors, type OperationName, operationList } from '@saleproof/schema'
import type { Histogram, Registry } from 'prom-client'
import { getOrAdd } from '../get-or-add.ts'
import type { Observe } from '../http/request-event.ts'
import { collectedMetrics } from './collected-metrics.ts'

/** Everything but the operations, by the start of the route. */
const routes = [
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'metrics'],
  ['/admin/import', 'import'],
  ['/console', 'console'],
  ['/docs', 'docs'],
  ['/openapi.json', 'docs'],
] as const

/** An operation, another group of routes, or `other` where no route matched. */
type RouteGroup = OperationName | (typeof routes)[number][1] | 'other'

export const routeGroups: readonly RouteGroup[] = [
  ...operationList.map(({ name }) => name),
  ...new Set(routes.map(([, name]) => name)),
  'other',
]

/** The label of a request in the metrics, of which there are few. */
const findRouteGroup = (route: string | null): RouteGroup =>
  routes.find(([start]) => route?.startsWith(start))?.[1] ?? 'other'

/** Upper bounds in seconds: most responses take a fraction of a millisecond. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Start at zero, so that an alert sees the first one: a counter that appears with the value one did not increase. */
const alerted: readonly ErrorCode[] = ['internal_error', 'unavailable']

interface Series {
  status: number
  labels: { operation: string; status: string; code: string }
  count: number
}

interface GroupStats {
  /** By code. */
  series: Map<string | null, Series[]>
  durations: { counts: number[]; sum: number; count: number }
}

function findSeries({ series }: GroupStats, group: RouteGroup, status: number, code: string | null): Series {
  const ofCode = getOrAdd(series, code, (): Series[] => [])
  // Few, and compared without a string for each request.
  const known = ofCode.find((one) => one.status === status)
  if (known) return known
  const labels = { operation: group, status: String(status), code: code ?? 'none' }
  const added = { status, labels, count: 0 }
  ofCode.push(added)
  return added
}

function addDuration({ durations }: GroupStats, seconds: number) {
  durations.sum += seconds
  durations.count++
  let index = 0
  while (seconds > (buckets[index] ?? seconds)) index++
  if (index < buckets.length) durations.counts[index] = (durations.counts[index] ?? 0) + 1
}

const durationName = 'saleproof_request_duration_seconds'

/** In prom-client's format. The library's own histogram takes ten times as long per request as the additions here. */
function durationHistogram(groups: ReadonlyMap<RouteGroup, GroupStats>) {
  const metric = {
    name: durationName,
    help: 'Duration of requests by operation or other route group',
    type: 'histogram',
    aggregator: 'sum',
  }
  async function get() {
    const values = [...groups].flatMap(([operation, { durations }]) => {
      const { counts, sum, count } = durations
      let below = 0
      const cumulative = buckets.map((le, index) => {
        below += counts[index] ?? 0
        return { labels: { le, operation }, value: below, metricName: `${durationName}_bucket` }
      })
      return [
        ...cumulative,
        { labels: { le: '+Inf', operation }, value: count, metricName: `${durationName}_bucket` },
        { labels: { operation }, value: sum, metricName: `${durationName}_sum` },
        { labels: { operation }, value: count, metricName: `${durationName}_count` },
      ]
    })
    return { ...metric, values }
  }
  // A registry calls nothing else of a metric.
  return { ...metric, labelNames: ['operation'], reset: () => {}, get } as unknown as Histogram
}

/** Counts requests and their durations. Each request costs a few additions. */
export function createRequestMetrics(registry: Registry): Observe {
  const groups = new Map<RouteGroup, GroupStats>()
  for (const group of routeGroups) {
    const stats: GroupStats = {
      series: new Map(),
      durations: { counts: buckets.map(() => 0), sum: 0, count: 0 },
    }
    groups.set(group, stats)
    for (const code of alerted) findSeries(stats, group, errors[code].status, code)
  }
  collectedMetrics(registry).counter(
    'saleproof_requests_total',
    'Requests by operation or other route group, status and error code',
    ['operation', 'status', 'code'],
    function* () {
      for (const { series } of groups.values())
        for (const { labels, count } of [...series.values()].flat()) yield [labels, count]
    },
  )
  registry.registerMetric(durationHistogram(groups))

  return function observe({ operation, route, status, code, durationMs }) {
    const group = operation ?? findRouteGroup(route)
    const stats = groups.get(group)
    if (!stats) return
    findSeries(stats, group, status, code).count++
    addDuration(stats, durationMs / 1000)
  }
}
