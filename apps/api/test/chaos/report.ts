import type { Fault } from './faults.ts'
import type { Outcome } from './workload.ts'

/**
 * The promises of 2 s and 10 s, and half a second for HAProxy: one attempt to connect, and its timers. An import through one instance begins
 * up to 2 s before something fails.
 */
const longestMs = { read: 2500, sale: 10_500, change: 10_500, large: 10_500, direct: 12_500 } as const
/** After 2.5 s HAProxy asks another instance, once, where one says nothing (`timeout server`, `retries`); timers are a little late. */
const silenceMs = 2600
const longestLaterMs = 300
const longestOutageMs = 15_000

interface Window {
  fault: Fault
  outcomes: readonly Outcome[]
  /** From here on writes could be expected. */
  writable: number
  ended: number
}

const waited = ({ began, ended }: Outcome) => ended - began
const longestOf = (outcomes: readonly Outcome[]) => Math.round(Math.max(0, ...outcomes.map(waited)))

/** How long no sale was stored. */
function outageOf({ outcomes, writable, ended }: Window) {
  const stored = outcomes
    .filter(({ kind, status }) => kind === 'sale' && status === 200)
    .map((outcome) => outcome.ended)
    .filter((time) => time > writable)
  const times = [writable, ...stored.toSorted((a, b) => a - b), ended]
  return Math.round(Math.max(...times.slice(1).map((time, index) => time - times[index]!)))
}

/** In a hang: p99 of the waits from the third request on that each process could not answer, for those sent after two had ended. */
function laterWaitOf(reads: readonly Outcome[]) {
  const waits: number[] = []
  for (const ofProcess of Map.groupBy(reads, ({ process }) => process).values()) {
    const unknown = ofProcess.filter(({ status }) => status === 503).sort((a, b) => a.ended - b.ended)
    const second = unknown[1]?.ended ?? Number.POSITIVE_INFINITY
    for (const outcome of unknown) if (outcome.began > second) waits.push(waited(outcome))
  }
  waits.sort((a, b) => a - b)
  return waits.length < 100 ? 0 : Math.round(waits[Math.floor(waits.length * 0.99)]!)
}

/** Those that were answered, that were not, and whose connection was closed. */
const countsOf = (outcomes: readonly Outcome[]) => {
  const count = (status: number) => outcomes.filter((outcome) => outcome.status === status).length
  const [unavailable, closed] = [count(503), count(0)]
  return [outcomes.length - unavailable - closed, unavailable, closed]
}

/** What callers saw while something failed, and which promises were broken. */
export function createReport() {
  const rows = new Map<string, { times: number; counts: number[]; longest: Record<string, number> }>()
  const broken: string[] = []
  const late: string[] = []

  function add(window: Window) {
    const { fault, outcomes } = window
    const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind)
    const reads = of('read')
    const measured: Record<string, number> = {
      read: longestOf(reads),
      later: fault.hangs ? laterWaitOf(reads) : 0,
      sale: longestOf(of('sale')),
      change: longestOf(of('change')),
      large: longestOf(of('large')),
      direct: fault.silent ? 0 : longestOf(of('direct')),
      outage: outageOf(window),
    }
    const own = { ...longestMs, later: longestLaterMs, outage: longestOutageMs }
    const added = fault.silent || fault.joined ? silenceMs : 0
    for (const [name, value] of Object.entries(measured))
      if (value > own[name as keyof typeof own] + added)
        (name === 'outage' ? broken : late).push(`${fault.name}: ${name} ${value} ms`)
    if (!fault.silent && reads.some(({ status, repeated }) => repeated && status === 0))
      broken.push(`${fault.name}: closed reads`)
    const counts = [...countsOf(reads), ...countsOf(outcomes.filter(({ kind }) => kind !== 'read'))]
    console.log(`${new Date().toISOString()} ${fault.name}: ${counts.join(' ')} ${JSON.stringify(measured)}`)
    const row = rows.get(fault.name) ?? { times: 0, counts: counts.map(() => 0), longest: {} }
    row.times++
    row.counts = row.counts.map((value, index) => value + counts[index]!)
    for (const [name, value] of Object.entries(measured))
      row.longest[name] = Math.max(row.longest[name] ?? 0, value)
    rows.set(fault.name, row)
  }

  const table = () =>
    [
      '| fault | times | reads: answered | 503 | closed | writes: answered | 503 | closed | longest read, ms | p99 from the third on | sale | change | large import | through one instance | no sale stored for |',
      `|---${'|---:'.repeat(14)}|`,
      ...[...rows].map(
        ([name, { times, counts, longest }]) =>
          `| ${[name, times, ...counts, ...Object.values(longest)].join(' | ')} |`,
      ),
    ].join('\n')

  return {
    add,
    broken,
    /** Waits above the bounds: those of a quiet machine. */
    late,
    table,
  }
}
