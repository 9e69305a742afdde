import { type OperationName, operationList } from '@saleproof/schema'
import { Counter, type Histogram, type Registry } from 'prom-client'
import type { Observation, Observe } from './observer.ts'

/** In seconds: most answers take a fraction of a millisecond. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

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
  const series = new Map<string, Map<string | number, Series>>()
  const durations = new Map<string, Durations>()
  const names: readonly OperationName[] = operationList.map(({ name }) => name)
  for (const name of names) durations.set(name, { counts: buckets.map(() => 0), sum: 0, count: 0 })

  new Counter({
    name: 'saleproof_requests_total',
    help: 'Requests by operation, status and error code',
    labelNames: ['operation', 'status', 'code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const ofOperation of series.values()) {
        for (const { labels, count } of ofOperation.values()) this.inc(labels, count)
      }
    },
  })
  registry.registerMetric(durationMetric(durations) as unknown as Histogram)

  /** A success has no code: its status alone names it, which saves making a text for each request. */
  function seriesOf(operation: string, status: number, code: string | null): Series {
    let ofOperation = series.get(operation)
    if (!ofOperation) {
      ofOperation = new Map()
      series.set(operation, ofOperation)
    }
    const key = code === null ? status : `${status} ${code}`
    let found = ofOperation.get(key)
    if (!found) {
      found = { labels: { operation, status: String(status), code: code ?? 'none' }, count: 0 }
      ofOperation.set(key, found)
    }
    return found
  }

  return function count({ operation, status, code, durationMs }: Observation) {
    const name = operation ?? 'other'
    seriesOf(name, status, code).count++
    const duration = durations.get(name)
    if (duration) add(duration, durationMs / 1000)
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
  const metric = { name, help: 'Duration of the four operations', type: 'histogram', aggregator: 'sum' }
  return {
    ...metric,
    labelNames: ['operation'],
    reset: () => {},
    get: async () => ({ ...metric, values: values() }),
  }
}
