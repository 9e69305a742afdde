import { setTimeout as pause } from 'node:timers/promises'
import { get } from '../load/scenarios.ts'
import { send } from '../request.ts'
import type { RunningServer } from '../server-process.ts'
import { median, summarize } from '../statistics.ts'
import { peakMemory, resetPeak, residentMemory } from './process-stats.ts'

type Start = () => Promise<RunningServer>

/** After this time without requests a server counts as idle. */
const idleMs = 1000

/** Enough for the compiler to have seen the path of a request, which the list is not about. */
const warmUpRequests = 200

async function repeat<T>(start: Start, times: number, measure: (server: RunningServer) => Promise<T>) {
  const results: T[] = []
  for (let run = 0; run < times; run++) {
    const server = await start()
    results.push(await measure(server))
    await server.stop()
  }
  return results
}

/** From the start of the process to its first response, and the idle memory after that. */
export async function measureStart(start: Start, times: number) {
  const runs = await repeat(start, times, async ({ startMs, pid }) => {
    await pause(idleMs)
    return { startMs, megabytes: residentMemory(pid) }
  })
  return {
    milliseconds: summarize(runs.map(({ startMs }) => startMs)),
    idleMegabytes: median(runs.map(({ megabytes }) => megabytes)),
  }
}

/** The first list of all items of a fresh process, which has cached nothing. */
export async function measureFirstList(start: Start, times: number) {
  const runs = await repeat(start, times, async ({ port, pid, settle }) => {
    for (let index = 0; index < warmUpRequests; index++) await send(port, get('/api/account/details'))
    await settle()
    const before = residentMemory(pid)
    resetPeak(pid)
    const sent = performance.now()
    await send(port, get('/api/items/all'))
    return { milliseconds: performance.now() - sent, growth: peakMemory(pid) - before }
  })
  return {
    milliseconds: summarize(runs.map(({ milliseconds }) => milliseconds)),
    growthMegabytes: median(runs.map(({ growth }) => growth)),
  }
}
