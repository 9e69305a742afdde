import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

export type Measured = MetricObjectWithValues<MetricValue<string>>

/** What is added up: it stays true of a process that is gone, other than how large or slow it was. */
const isCount = ({ type }: Measured) => String(type) === 'counter' || String(type) === 'histogram'

const together = (measured: readonly (readonly Measured[])[]) =>
  AggregatorRegistry.aggregate(measured as unknown as object[])

/**
 * What the workers measured, together. The counts of one that ended stay in the sum: whoever reads a counter that falls takes it for a
 * restart, and all that is left in it for new. Lost is only what such a worker counted after it was asked last.
 */
export function createMeasurements() {
  const latest = new Map<number, readonly Measured[]>()
  let gone: readonly Measured[] = []
  let ended = 0
  return {
    note: (worker: number, measured: readonly Measured[]) => void latest.set(worker, measured),

    /** A worker has ended, against everybody's will. */
    async forget(worker: number) {
      ended++
      const counts = latest.get(worker)?.filter(isCount)
      latest.delete(worker)
      if (counts) gone = await together([gone, counts]).getMetricsAsJSON()
    },

    /** As text. Of a worker that did not answer in time it is what it said the time before. */
    read(): Promise<string> {
      const own = {
        name: 'saleproof_workers_ended_total',
        help: 'Workers that ended by themselves and were replaced',
        type: 'counter',
        aggregator: 'sum',
        values: [{ labels: {}, value: ended }],
      } as unknown as Measured
      return together([...latest.values(), gone, [own]]).metrics()
    },
  }
}
