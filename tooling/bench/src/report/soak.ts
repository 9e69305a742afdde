import { median, quantile } from '../statistics.ts'
import { formatNumber, formatTable } from './table.ts'

/** How the service was at one moment of a soak. */
export interface Sample {
  /** Since the load began. */
  seconds: number
  /** Answers a second. */
  rate: number
  /** Of the answers since the sample before, in milliseconds. */
  p99: number
  /** Resident, in MB. */
  memory: number
  /** Used by JavaScript, in MB. */
  heap: number
  /** Open files and connections. */
  handles: number
  /** Delay of the event loop since the sample before, in milliseconds. */
  eventLoopP99: number
}

/** What caches fill up with belongs to the first third; from then on nothing may grow by more than this part. */
const growth = 0.1
/** A connection more or less at the moment of a sample is no leak. */
const fewHandles = 3

function thirds(samples: readonly Sample[], figure: (sample: Sample) => number) {
  const third = Math.floor(samples.length / 3)
  const of = (part: readonly Sample[]) => median(part.map(figure))
  return { middle: of(samples.slice(third, 2 * third)), last: of(samples.slice(2 * third)) }
}

/** Whether memory and handles were the same in the last third as in the one before. */
export function isFlat(samples: readonly Sample[]): boolean {
  const memory = thirds(samples, (sample) => sample.memory)
  const handles = thirds(samples, (sample) => sample.handles)
  return memory.last <= memory.middle * (1 + growth) && handles.last <= handles.middle + fewHandles
}

const mostRows = 12

export function formatSoak(samples: readonly Sample[], failed: number): string {
  const step = Math.max(1, Math.floor(samples.length / mostRows))
  const rows = samples
    .filter((_, index) => index % step === step - 1)
    .map((sample) => [
      String(sample.seconds),
      ...[sample.rate, sample.p99, sample.memory, sample.heap, sample.handles, sample.eventLoopP99].map(
        formatNumber,
      ),
    ])
  const head = ['seconds', 'requests/s', 'p99, ms', 'memory, MB', 'heap, MB', 'handles', 'event loop p99, ms']
  const delay = quantile(
    samples.map((sample) => sample.eventLoopP99),
    0.99,
  )
  const memory = thirds(samples, (sample) => sample.memory)
  return [
    formatTable(head, rows),
    '',
    `memory: ${formatNumber(memory.middle)} MB in the middle third, ${formatNumber(memory.last)} MB in the last`,
    `event loop: p99 of the delay ${formatNumber(delay)} ms; broken connections: ${failed}`,
    isFlat(samples) ? 'flat' : 'NOT FLAT',
  ].join('\n')
}
