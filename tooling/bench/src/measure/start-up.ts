import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../ask.ts'
import { get } from '../load/cells.ts'
import type { FirstListReport, StartReport } from '../report/report.ts'
import type { RunningServer } from '../server-process.ts'
import { median, summarize } from '../statistics.ts'
import { forgetPeak, peakMemory, residentMemory } from './process-figures.ts'

type Start = () => Promise<RunningServer>

/** How long a server has nothing to do before its memory is called idle. */
const idleMilliseconds = 1000

/** Enough for the compiler to have seen the way that a request takes, which the list is not about. */
const requestsBefore = 200

/** From the start of the process to the first 200, and the memory when it is idle after that. */
export async function measureStart(start: Start, runs: number): Promise<StartReport> {
  const [times, memory]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    const server = await start()
    times.push(server.startMilliseconds)
    await pause(idleMilliseconds)
    memory.push(residentMemory(server.pid))
    await server.stop()
  }
  return { milliseconds: summarize(times), idleMegabytes: median(memory) }
}

/** The first list of all items that a fresh process answers: nothing about it is kept yet. */
export async function measureFirstList(start: Start, runs: number): Promise<FirstListReport> {
  const [times, growth]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    const server = await start()
    for (let index = 0; index < requestsBefore; index++) await ask(server.port, get('/api/account/details'))
    await server.settle()
    const before = residentMemory(server.pid)
    forgetPeak(server.pid)
    const asked = performance.now()
    await ask(server.port, get('/api/items/all'))
    times.push(performance.now() - asked)
    growth.push(peakMemory(server.pid) - before)
    await server.stop()
  }
  return { milliseconds: summarize(times), growthMegabytes: median(growth) }
}
