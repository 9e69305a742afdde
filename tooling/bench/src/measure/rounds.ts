import { join } from 'node:path'
import type { Context } from '../context.ts'
import type { DataSet } from '../data/data-sets.ts'
import type { Scenario } from '../load/scenarios.ts'
import { type Load, type LoadResult, requestRate, runWrk, writeRequests } from '../load/wrk.ts'
import type { ScenarioReport } from '../report/report.ts'
import { send } from '../request.ts'
import type { RunningServer } from '../server-process.ts'
import type { Settings } from '../settings.ts'
import { median, ratios, summarize } from '../statistics.ts'
import { cpuSeconds } from './process-stats.ts'
import { requireSameResponses } from './same-responses.ts'

interface ScenarioOptions {
  settings: Settings
  dataSet: DataSet
  scenario: Scenario
  signingKey: string
  /** The baseline first. */
  servers: readonly RunningServer[]
  folder: string
}

interface Run {
  server: RunningServer
  /** The length of a round. */
  seconds: number
  rates: number[]
  /** Microseconds of processor time for a request. */
  cpu: number[]
}

/** A prime, so that rounds do not begin at the same request for a long time. */
const offsetStep = 37_199

function requireExpectedStatuses(
  server: string,
  { name, status }: Scenario,
  { requests, errorStatuses, broken }: LoadResult,
) {
  const unexpected = status < 400 ? errorStatuses : requests - errorStatuses
  if (requests > 0 && unexpected === 0 && broken === 0) return
  throw new Error(
    `${name}: ${server}: ${requests} responses, ${unexpected} with an unexpected status, ${broken} broken connections`,
  )
}

/** Measures all servers in one scenario, round by round, after a check that their responses are the same. */
export async function measureScenario(
  context: Context,
  { settings, dataSet, scenario, signingKey, servers, folder }: ScenarioOptions,
): Promise<Record<string, ScenarioReport>> {
  const requests = scenario.requests(dataSet, signingKey)
  const file = join(folder, `${scenario.name}.requests`)
  writeRequests(file, requests)
  const connections = scenario.connections ?? settings.connections
  const [baseline] = servers
  if (!baseline) return {}
  for (const server of servers) await requireSameResponses(baseline, server, scenario, requests)

  async function load(server: RunningServer, round: number, more: Pick<Load, 'seconds' | 'pauseMs'>) {
    const { loadCore: core } = settings
    const offset = round * offsetStep
    const result = await runWrk(context, { port: server.port, file, offset, connections, core, ...more })
    requireExpectedStatuses(server.name, scenario, result)
    return result
  }

  async function measureRound({ server, seconds, rates, cpu }: Run, round: number) {
    const before = cpuSeconds(server.pid)
    const result = await load(server, round, { seconds })
    cpu.push(((cpuSeconds(server.pid) - before) / result.requests) * 1e6)
    rates.push(requestRate(result))
    await server.settle()
  }

  /** The seconds in which every connection gets so many responses: a long list takes more than the usual time. */
  async function secondsFor({ port }: RunningServer, responses: number): Promise<number> {
    const times: number[] = []
    // The fastest of three: other work of the machine only adds time.
    for (let index = 0; index < 3; index++) {
      const start = performance.now()
      await send(port, requests[0] ?? '')
      times.push(performance.now() - start)
    }
    return (Math.min(...times) / 1000) * connections * responses
  }

  const runs: Run[] = []
  for (const server of servers) {
    const warmUp = Math.max(settings.warmUpSeconds, await secondsFor(server, 2))
    await measureRound({ server, seconds: warmUp, rates: [], cpu: [] }, 0)
    const enough = await secondsFor(server, settings.responsesPerConnection)
    runs.push({ server, seconds: Math.max(settings.seconds, enough), rates: [], cpu: [] })
  }
  for (let round = 1; round <= settings.rounds; round++) {
    // Each round begins with another server.
    const first = round % runs.length
    for (const run of [...runs.slice(first), ...runs.slice(0, first)]) await measureRound(run, round)
  }

  /** The times of responses at about half the peak rate, round by round: other work of the machine hits one round, not all. */
  async function measureLatency(): Promise<Map<Run, LoadResult[]>> {
    const measured = runs.filter(({ server }) => settings.latencyOf(server.name))
    const results = new Map(measured.map((run): [Run, LoadResult[]] => [run, []]))
    for (let round = 1; round <= settings.latencyRounds; round++) {
      for (const [{ server, rates }, loads] of results) {
        const rate = median(rates)
        // With these pauses the connections together send about half as many requests as at full load.
        const pauseMs = (2000 * connections) / rate
        const seconds = Math.max(settings.latencySeconds, 40 / rate)
        loads.push(await load(server, settings.rounds + round, { seconds, pauseMs }))
        await server.settle()
      }
    }
    return results
  }

  const latencies = await measureLatency()
  const reports: Record<string, ScenarioReport> = {}
  for (const run of runs) {
    const { server, rates, cpu } = run
    const report: ScenarioReport = {
      ratio: ratios(rates, runs[0]?.rates ?? []),
      rate: summarize(rates),
      cpuRatio: ratios(runs[0]?.cpu ?? [], cpu),
      cpuMicroseconds: median(cpu),
    }
    const loads = latencies.get(run)
    if (loads)
      report.latency = {
        rate: median(loads.map(requestRate)),
        p50Ms: median(loads.map(({ p50Ms }) => p50Ms)),
        p99Ms: median(loads.map(({ p99Ms }) => p99Ms)),
      }
    reports[server.name] = report
  }
  return reports
}
