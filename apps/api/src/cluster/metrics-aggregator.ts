import {
  AggregatorRegistry,
  Counter,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[]

/** Counts remain true after a process has ended, unlike its size or its speed. */
const isCount = ({ type }: MetricValues[number]) => ['counter', 'histogram'].includes(String(type))

/**
 * The metrics of all workers. The counts of a worker that ended remain in the sums: a counter that falls looks like a restart, and everything
 * left in it like new. Only what the worker counted after its last report is lost.
 */
export function createMetricsAggregator() {
  const latest = new Map<number, MetricValues>()
  let ended: MetricValues = []
  const registry = new Registry()
  const endedWorkers = new Counter({
    name: 'saleproof_workers_ended_total',
    help: 'Workers that ended unexpectedly and were replaced',
    registers: [registry],
  })
  return {
    report: (worker: number, metrics: MetricValues) => void latest.set(worker, metrics),

    async remove(worker: number) {
      endedWorkers.inc()
      const counts = latest.get(worker)?.filter(isCount)
      latest.delete(worker)
      if (counts) ended = await AggregatorRegistry.aggregate([ended, counts]).getMetricsAsJSON()
    },

    /** As text. A worker that did not respond in time counts with its last report. */
    async read(): Promise<string> {
      const own = await registry.getMetricsAsJSON()
      return AggregatorRegistry.aggregate([...latest.values(), ended, own]).metrics()
    },
  }
}
