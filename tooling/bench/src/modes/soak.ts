import { join } from 'node:path'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import { activeCodes, get, scenarios, validation } from '../load/scenarios.ts'
import { rateOf, runWrk, writeRequests } from '../load/wrk.ts'
import { openHandles, residentMemory } from '../measure/process-stats.ts'
import type { Options } from '../options.ts'
import { formatSoak, isFlat, type Sample } from '../report/soak.ts'
import { send } from '../request.ts'
import { withRunDirectory } from '../run-directory.ts'
import { metricsToken, service } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { createRandom, shuffle } from '../statistics.ts'

const sampleSeconds = 10
const peakSeconds = 5

/** A mixture: known and unknown codes, items, the account, unknown keys. */
function mixedRequests(dataSet: DataSet): string[] {
  const requestsOf = (name: string) => scenarios.find((one) => one.name === name)?.requests(dataSet) ?? []
  const parts = [
    activeCodes(dataSet)
      .slice(0, 60_000)
      .map((code) => validation(code)),
    requestsOf('item').slice(0, 10_000),
    requestsOf('unknown-code').slice(0, 5000),
    requestsOf('unknown-key').slice(0, 5000),
    Array.from({ length: 5000 }, () => get('/api/account/details')),
  ]
  return shuffle(parts.flat(), createRandom(21))
}

async function readMetrics(port: number) {
  const { body } = await send(port, get('/metrics', metricsToken))
  const metric = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(body.toString())?.[1])
  return {
    heap: metric('nodejs_heap_size_used_bytes') / 1024 / 1024,
    eventLoopP99: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

/** About half the peak rate for a long time: fails when memory or handles go on growing, or a connection breaks. */
export async function soak(context: Context, { minutes, pinned }: Options): Promise<boolean> {
  const dataSet = dataSets.large
  const databases = await prepareDataSet(context, dataSet)
  const settings = createSettings({ quick: false, rounds: 1, pinned })
  const { serverCore, loadCore, connections } = settings
  return withRunDirectory(context, async ({ folder, start }) => {
    const { port, pid } = await start({ definition: service('saleproof'), databases, core: serverCore })
    const file = join(folder, 'requests')
    writeRequests(file, mixedRequests(dataSet))
    const load = { port, file, connections, core: loadCore }
    const peak = rateOf(await runWrk(context, { ...load, offset: 0, seconds: peakSeconds }))
    context.log(`peak: ${Math.round(peak)} requests a second; half of that for ${minutes} minutes`)

    const pauseMs = (2000 * connections) / peak
    const samples: Sample[] = []
    let broken = 0
    for (let seconds = sampleSeconds; seconds <= minutes * 60; seconds += sampleSeconds) {
      const result = await runWrk(context, {
        ...load,
        offset: seconds * 7919,
        seconds: sampleSeconds,
        pauseMs,
      })
      broken += result.broken
      samples.push({
        seconds,
        rate: rateOf(result),
        p99: result.p99Ms,
        memory: residentMemory(pid),
        handles: openHandles(pid),
        ...(await readMetrics(port)),
      })
    }
    console.log(formatSoak(samples, broken))
    return broken === 0 && isFlat(samples)
  })
}
