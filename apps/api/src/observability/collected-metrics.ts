import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client'

type Sample<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number]

type Read<Label extends string> = () => Iterable<Sample<Label>> | Promise<Iterable<Sample<Label>>>

/**
 * Metrics whose numbers are kept where they arise, as plain additions. prom-client, which takes almost a microsecond per observation, is
 * called only when the metrics are read.
 */
export function collectedMetrics(registry: Registry) {
  const collect =
    (Metric: typeof Counter | typeof Gauge) =>
    /** `aggregator` combines the numbers of several processes; the default is their sum. */
    <Label extends string = never>(
      name: string,
      help: string,
      labelNames: Label[],
      read: Read<Label>,
      aggregator: Aggregator = 'sum',
    ) => {
      new Metric<Label>({
        name,
        help,
        labelNames,
        registers: [registry],
        aggregator,
        async collect() {
          const samples = await read()
          this.reset()
          for (const [labels, value] of samples) this.inc(labels, value)
        },
      })
    }
  return { counter: collect(Counter), gauge: collect(Gauge) }
}
