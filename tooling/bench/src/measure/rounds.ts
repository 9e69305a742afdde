import { join } from 'node:path'
import type { DataSet } from '../data/data-sets.ts'
import type { Cell } from '../load/cells.ts'
import { writeRequests } from '../load/request-file.ts'
import type { Loader } from '../load/run.ts'
import type { CellReport } from '../report/report.ts'
import type { RunningServer } from '../server-process.ts'
import type { Settings } from '../settings.ts'
import { median, ratios, summarize } from '../statistics.ts'
import { requireSameAnswers } from './correctness.ts'
import { createRunner, type Run, type Runner } from './runner.ts'

interface CellOptions {
  loader: Loader
  settings: Settings
  dataSet: DataSet
  cell: Cell
  /** The floor first. */
  servers: readonly RunningServer[]
  folder: string
}

type Runs = ReadonlyMap<string, Run[]>

/** Asks every server for the same in turn, round after round; the one that begins changes, too. */
async function runRounds(
  runner: Runner,
  settings: Settings,
  servers: readonly RunningServer[],
): Promise<Runs> {
  const runs = new Map<string, Run[]>()
  const seconds = new Map<string, number>()
  for (const server of servers) {
    await runner.full(server, 0, Math.max(settings.warmUpSeconds, await runner.secondsFor(server, 2)))
    const enough = await runner.secondsFor(server, settings.answersPerConnection)
    seconds.set(server.name, Math.max(settings.seconds, enough))
    runs.set(server.name, [])
  }
  for (let round = 1; round <= settings.rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round) % servers.length]!
      runs.get(server.name)!.push(await runner.full(server, round, seconds.get(server.name)!))
    }
  }
  return runs
}

function toReport(runs: readonly Run[], floor: readonly Run[]): CellReport {
  const [own, others] = [runs, floor].map((series) => series.map(({ rate }) => rate))
  return {
    ratio: ratios(own!, others!),
    rate: summarize(own!),
    cpuMicroseconds: median(runs.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  }
}

/** Measures all servers in one cell, after a check that they answer alike. */
export async function measureCell(options: CellOptions): Promise<Record<string, CellReport>> {
  const { loader, settings, dataSet, cell, servers, folder } = options
  const requests = cell.requests(dataSet)
  const file = join(folder, `${cell.name}.requests`)
  writeRequests(file, requests)
  const [floor] = servers
  for (const server of servers) await requireSameAnswers(floor!, server, cell, requests)

  const runner = createRunner({ loader, settings, cell, requests, file })
  const runs = await runRounds(runner, settings, servers)
  const reports: Record<string, CellReport> = {}
  for (const server of servers) {
    const report = toReport(runs.get(server.name)!, runs.get(floor!.name)!)
    if (settings.latencyOf(server.name)) report.latency = await runner.paced(server, report.rate.median / 2)
    reports[server.name] = report
  }
  return reports
}
