import { median, quantile } from '../statistics.ts'
import { formatNumber, formatTable } from './table.ts'

/** The state of the service at one moment of a soak. */
export interface Sample {
  /** Since the start of the load. */
  seconds: number
  /** Responses a second. */
  rate: number
  /** Of the responses since the previous sample, in milliseconds. */
  p99: number
  /** Resident, in MB. */
  memory: number
  /** Used by JavaScript, in MB. */
  heap: number
  /** Open files and connections. */
  handles: number
  /** Delay of the event loop since the previous sample, in milliseconds. */
  eventLoopP99: number
}

/** Caches fill in the first third; after that nothing may grow by more than this part. */
const growth = 0.1
/** A few connections more at the time of a sample are no leak. */
const handleTolerance = 3
const maxRows = 12

function thirds(samples: readonly Sample[], read: (sample: Sample) => number) {
  const third = Math.floor(samples.length / 3)
  const medianOf = (part: readonly Sample[]) => median(part.map(read))
  return { middle: medianOf(samples.slice(third, 2 * third)), last: medianOf(samples.slice(2 * third)) }
}

/** Whether memory and handles stayed the same from the second third to the last. */
export function isFlat(samples: readonly Sample[]): boolean {
  const memory = thirds(samples, (sample) => sample.memory)
  const handles = thirds(samples, (sample) => sample.handles)
  return memory.last <= memory.middle * (1 + growth) && handles.last <= handles.middle + handleTolerance
}

export function formatSoak(samples: readonly Sample[], broken: number): string {
  const step = Math.max(1, Math.floor(samples.length / maxRows))
  const rows = samples
    .filter((_, index) => index % step === step - 1)
    .map(({ seconds, rate, p99, memory, heap, handles, eventLoopP99 }) => [
      String(seconds),
      ...[rate, p99, memory, heap, handles, eventLoopP99].map(formatNumber),
    ])
  const head = ['seconds', 'requests/s', 'p99, ms', 'memory, MB', 'heap, MB', 'handles', 'event loop p99, ms']
  const eventLoopDelays = samples.map(({ eventLoopP99 }) => eventLoopP99)
  const memory = thirds(samples, (sample) => sample.memory)
  return [
    formatTable(head, rows),
    '',
    `memory: ${formatNumber(memory.middle)} MB in the second third, ${formatNumber(memory.last)} MB in the last`,
    `event loop delay p99: ${formatNumber(quantile(eventLoopDelays, 0.99))} ms; broken connections: ${broken}`,
    isFlat(samples) ? 'flat' : 'NOT FLAT',
  ].join('\n')
}
