import { ask } from '../ask.ts'
import type { Cell } from '../load/cells.ts'
import { type LoadResult, rateOf } from '../load/load.ts'
import type { Loader } from '../load/run.ts'
import type { Latency } from '../report/report.ts'
import type { RunningServer } from '../server-process.ts'
import type { Settings } from '../settings.ts'
import { cpuSeconds } from './process-figures.ts'

export interface Run {
  rate: number
  cpuMicroseconds: number
}

interface RunnerOptions {
  loader: Loader
  settings: Settings
  cell: Cell
  requests: readonly string[]
  /** The file that they are in. */
  file: string
}

/** Rounds ask for different things: a prime, so that no two of them begin at the same place for a long time. */
const offsetOf = (round: number) => round * 37_199

function requireAnswers(server: string, cell: Cell, { requests, refused, failed }: LoadResult) {
  const unexpected = cell.status < 400 ? refused : requests - refused
  if (requests > 0 && unexpected === 0 && failed === 0) return
  throw new Error(
    `${cell.name}: of ${requests} answers of ${server}, ${unexpected} had another status than expected; ${failed} connections failed`,
  )
}

/** Puts one server at a time under the load of a cell. */
export function createRunner({ loader, settings, cell, requests, file }: RunnerOptions) {
  const connections = cell.connections ?? settings.connections
  const load = ({ port }: RunningServer, round: number, seconds: number) => ({
    port,
    file,
    offset: offsetOf(round),
    seconds,
    connections,
    core: settings.loadCore,
  })

  return {
    /** The seconds in which every connection gets so many answers. */
    async secondsFor({ port }: RunningServer, answers: number): Promise<number> {
      // The fastest of three: a moment at which the machine was busy would make the run minutes long.
      const times: number[] = []
      for (let index = 0; index < 3; index++) {
        const start = performance.now()
        await ask(port, requests[0]!)
        times.push(performance.now() - start)
      }
      return (Math.min(...times) / 1000) * connections * answers
    },

    async full(server: RunningServer, round: number, seconds: number, attempts = 3): Promise<Run> {
      const before = cpuSeconds(server.pid)
      const result = await loader.full(load(server, round, seconds))
      const cpu = cpuSeconds(server.pid) - before
      await server.settle()
      // A short run on a busy machine may not get to a single answer; that says nothing about the server.
      const empty = result.requests === 0 && result.failed === 0
      if (empty && attempts > 1) return this.full(server, round, seconds * 2, attempts - 1)
      requireAnswers(server.name, cell, result)
      return { rate: rateOf(result), cpuMicroseconds: (cpu / result.requests) * 1e6 }
    },

    /** The latency at a rate that leaves the server time to breathe. */
    async paced(server: RunningServer, rate: number): Promise<Latency> {
      const seconds = Math.max(settings.latencySeconds, 20 / rate)
      const result = await loader.paced(load(server, settings.rounds + 1, seconds), rate)
      await server.settle()
      requireAnswers(server.name, cell, result)
      return { rate, p50: result.p50, p99: result.p99 }
    },
  }
}

export type Runner = ReturnType<typeof createRunner>
