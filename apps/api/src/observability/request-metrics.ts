import { type ErrorCode, errors } from '@saleproof/schema'
import type { Histogram, Registry } from 'prom-client'
import { keptMetric } from './collected-metric.ts'
import type { Observe, RequestEvent } from './observer.ts'
import { type Area, areaNames, areaOf } from './route-groups.ts'

/** In seconds: most answers take a fraction of a millisecond. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Counted from nought, so that a rule sees the first of them: a counter that appears at one has not risen. */
const watched: readonly ErrorCode[] = ['internal_error', 'unavailable']

interface Series {
  labels: { operation: string; status: string; code: string }
  count: number
}

interface Durations {
  counts: number[]
  sum: number
  count: number
}

/**
 * Counts requests and how long they took. What happens for each request is an addition or two: the library is only asked when the
 * metrics are read.
 */
export function createRequestMetrics(registry: Registry): Observe {
  const series = new Map<Area, Map<string | number, Series>>()
  const durations = new Map<Area, Durations>()
  for (const area of areaNames) {
    series.set(area, new Map())
    durations.set(area, { counts: buckets.map(() => 0), sum: 0, count: 0 })
    for (const code of watched) seriesOf(area, errors[code].status, code)
  }

  keptMetric(
    registry,
    {
      name: 'saleproof_requests_total',
      help: 'Requests by operation or other area, status and error code',
      kind: 'counter',
      labels: ['operation', 'status', 'code'],
    },
    function* () {
      for (const ofArea of series.values())
        for (const { labels, count } of ofArea.values()) yield [labels, count]
    },
  )
  registry.registerMetric(durationMetric(durations) as unknown as Histogram)

  /** A success has no code: its status alone names it, which saves making a text for each request. */
  function seriesOf(area: Area, status: number, code: string | null): Series {
    const ofArea = series.get(area)!
    const key = code === null ? status : `${status} ${code}`
    let found = ofArea.get(key)
    if (!found) {
      found = { labels: { operation: area, status: String(status), code: code ?? 'none' }, count: 0 }
      ofArea.set(key, found)
    }
    return found
  }

  return function count({ operation, route, status, code, durationMs }: RequestEvent) {
    const area = operation ?? areaOf({ operation, route })
    seriesOf(area, status, code).count++
    add(durations.get(area)!, durationMs / 1000)
  }
}

function add(duration: Durations, seconds: number) {
  duration.sum += seconds
  duration.count++
  for (let index = 0; index < buckets.length; index++) {
    if (seconds <= buckets[index]!) {
      duration.counts[index]!++
      return
    }
  }
}

/** A histogram of the library's form whose numbers are kept here: the library's own cannot be set. */
function durationMetric(durations: Map<string, Durations>) {
  const name = 'saleproof_request_duration_seconds'
  const values = () =>
    [...durations].flatMap(([operation, { counts, sum, count }]) => {
      let below = 0
      const bucketValues = buckets.map((le, index) => {
        below += counts[index]!
        return { labels: { le, operation }, value: below, metricName: `${name}_bucket` }
      })
      return [
        ...bucketValues,
        { labels: { le: '+Inf', operation }, value: count, metricName: `${name}_bucket` },
        { labels: { operation }, value: sum, metricName: `${name}_sum` },
        { labels: { operation }, value: count, metricName: `${name}_count` },
      ]
    })
  const metric = {
    name,
    help: 'Duration of requests by operation or other area',
    type: 'histogram',
    aggregator: 'sum',
  }
  return {
    ...metric,
    labelNames: ['operation'],
    reset: () => {},
    get: async () => ({ ...metric, values: values() }),
  }
}
