import { join } from 'node:path'
import { ask } from '../ask.ts'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import { activeCodes, cells, get, validation } from '../load/cells.ts'
import { rateOf } from '../load/load.ts'
import { writeRequests } from '../load/request-file.ts'
import { createLoader } from '../load/run.ts'
import { openHandles, residentMemory } from '../measure/process-figures.ts'
import type { Options } from '../options.ts'
import { formatSoak, isFlat, type Sample } from '../report/soak.ts'
import { service } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { createRandom, shuffle } from '../statistics.ts'
import { copyInto, withWorkplace } from '../workplace.ts'

const sampleSeconds = 10
const peakSeconds = 5

/** What a day brings, mixed: checks of codes, known and not, items, the account. */
function mixedRequests(dataSet: DataSet): string[] {
  const of = (name: string) => cells.find((cell) => cell.name === name)!.requests(dataSet)
  const parts = [
    activeCodes(dataSet)
      .slice(0, 60_000)
      .map((code) => validation(code)),
    of('item').slice(0, 10_000),
    of('unknown-code').slice(0, 5000),
    of('unknown-key').slice(0, 5000),
    Array.from({ length: 5000 }, () => get('/api/account/details')),
  ]
  return shuffle(parts.flat(), createRandom(21))
}

const metricOf = (text: string, name: string) =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])

async function readSample(pid: number, port: number): Promise<Omit<Sample, 'seconds' | 'p99' | 'rate'>> {
  const metrics = await ask(port, get('/metrics', 'token-of-the-bench'))
  const text = metrics.body.toString()
  return {
    memory: residentMemory(pid),
    heap: metricOf(text, 'nodejs_heap_size_used_bytes') / 1024 / 1024,
    handles: openHandles(pid),
    eventLoopP99: metricOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

/** Half the peak rate for a long time: whether memory and handles stay, and how long the event loop is held up. */
export async function soak(context: Context, { minutes }: Options): Promise<boolean> {
  const dataSet = dataSets.large
  const databases = await prepareDataSet(context, dataSet)
  const { serverCore, loadCore, connections } = createSettings({ quick: false, cores: context.cores })
  const loader = createLoader(context)
  return withWorkplace(context, async (workplace) => {
    const copies = await copyInto(workplace, databases)
    const options = { definition: service('saleproof'), databases: copies, core: serverCore }
    const server = await workplace.start(options)
    const file = join(workplace.folder, 'soak.requests')
    writeRequests(file, mixedRequests(dataSet))
    const load = { port: server.port, file, offset: 0, connections, core: loadCore }
    const peak = rateOf(await loader.full({ ...load, seconds: peakSeconds }))
    context.say(`${Math.round(peak)} requests a second at most; half of that for ${minutes} minutes`)

    const samples: Sample[] = []
    let failed = 0
    for (let seconds = 0; seconds < minutes * 60; seconds += sampleSeconds) {
      const result = await loader.paced({ ...load, offset: seconds * 7919, seconds: sampleSeconds }, peak / 2)
      failed += result.failed
      samples.push({
        seconds: seconds + sampleSeconds,
        rate: rateOf(result),
        p99: result.p99,
        ...(await readSample(server.pid, server.port)),
      })
    }
    console.log(formatSoak(samples, failed))
    return failed === 0 && isFlat(samples)
  })
}
