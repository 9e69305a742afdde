import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import { get, scenarios } from '../load/scenarios.ts'
import { rateOf, runWrk, writeRequests } from '../load/wrk.ts'
import { openHandles, residentMemory } from '../measure/process-stats.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { send } from '../request.ts'
import { withRunDirectory } from '../run-directory.ts'
import { metricsToken, service } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { createRandom, median, shuffle } from '../statistics.ts'

const sampleSeconds = 30
const peakSeconds = 5
/** The service still closes the connections of the load when that has ended. */
const closingMs = 1000

/** The state of the service at one time. */
export interface Sample {
  /** Resident, in MB. */
  memory: number
  /** Open files and connections. */
  handles: number
}

/** Caches fill in the first third; after that memory may not grow by more than this part. */
const growth = 0.1
/** A few connections more at the time of a sample are no leak. */
const handleTolerance = 3

/** Whether memory and handles stayed the same from the second third to the last. */
export function isFlat(samples: readonly Sample[]): boolean {
  const third = Math.floor(samples.length / 3)
  const thirds = (values: readonly number[]) => ({
    second: median(values.slice(third, 2 * third)),
    last: median(values.slice(2 * third)),
  })
  const memory = thirds(samples.map((sample) => sample.memory))
  const handles = thirds(samples.map((sample) => sample.handles))
  return memory.last <= memory.second * (1 + growth) && handles.last <= handles.second + handleTolerance
}

/** A mixture: known and unknown codes, items, the account, unknown keys. */
function mixedRequests(dataSet: DataSet): string[] {
  const requestsOf = (name: string) => scenarios.find((one) => one.name === name)?.requests(dataSet) ?? []
  const parts = [
    requestsOf('validate').slice(0, 60_000),
    requestsOf('item').slice(0, 10_000),
    requestsOf('unknown-code').slice(0, 5000),
    requestsOf('unknown-key').slice(0, 5000),
    Array.from({ length: 5000 }, () => get('/api/account/details')),
  ]
  return shuffle(parts.flat(), createRandom(21))
}

async function readMetric(port: number, name: string): Promise<number> {
  const { body } = await send(port, get('/metrics', metricsToken))
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(body.toString())?.[1])
}

/** About half the peak rate for a long time: fails when memory or handles go on growing, or a connection breaks. */
export async function soak(context: Context, { minutes, pinned }: Options): Promise<boolean> {
  const dataSet = dataSets.large
  const database = await prepareDataSet(context, dataSet)
  const { serverCore, loadCore, connections } = createSettings({ quick: false, rounds: 1, pinned })
  return withRunDirectory(context, async ({ folder, start }) => {
    const { port, pid } = await start({ definition: service('saleproof'), database, core: serverCore })
    const file = join(folder, 'requests')
    writeRequests(file, mixedRequests(dataSet))
    const load = { port, file, connections, core: loadCore }
    const peak = rateOf(await runWrk(context, { ...load, offset: 0, seconds: peakSeconds }))
    const pauseMs = (2000 * connections) / peak
    context.log(`peak: ${Math.round(peak)} requests a second; half of that for ${minutes} minutes`)

    const samples: Sample[] = []
    const rows: string[][] = []
    let broken = 0
    for (let seconds = sampleSeconds; seconds <= minutes * 60; seconds += sampleSeconds) {
      const result = await runWrk(context, {
        ...load,
        offset: seconds * 7919,
        seconds: sampleSeconds,
        pauseMs,
      })
      broken += result.broken
      await sleep(closingMs)
      const sample = { memory: residentMemory(pid), handles: openHandles(pid) }
      samples.push(sample)
      const eventLoopMs = 1000 * (await readMetric(port, 'nodejs_eventloop_lag_p99_seconds'))
      const stats = [rateOf(result), result.p99Ms, sample.memory, sample.handles, eventLoopMs]
      rows.push([String(seconds), ...stats.map(formatNumber)])
    }
    const head = ['seconds', 'requests/s', 'p99, ms', 'memory, MB', 'handles', 'event loop p99, ms']
    const flat = isFlat(samples)
    console.log(`${formatTable(head, rows)}\n\nbroken connections: ${broken}; ${flat ? 'flat' : 'NOT FLAT'}`)
    return broken === 0 && flat
  })
}
