import { Counter, Gauge, type Registry } from 'prom-client'

interface KeptMetric<Label extends string> {
  name: string
  help: string
  kind: 'counter' | 'gauge'
  labels?: readonly Label[]
  /** What becomes of the numbers of several processes; added up without it. */
  over?: 'first' | 'max' | 'min'
}

type Kept<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number]

const kinds = { counter: Counter, gauge: Gauge }

/**
 * A metric whose numbers are kept where they arise, as plain additions: the library, which takes a microsecond for each, is only asked
 * when the metrics are read.
 */
export function keptMetric<Label extends string = never>(
  registry: Registry,
  { name, help, kind, labels = [], over }: KeptMetric<Label>,
  read: () => Iterable<Kept<Label>> | Promise<Iterable<Kept<Label>>>,
) {
  new kinds[kind]<Label>({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    ...(over && { aggregator: over }),
    async collect() {
      const figures = await read()
      this.reset()
      for (const [own, value] of figures) this.inc(own, value)
    },
  })
}
