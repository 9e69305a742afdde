import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@saleproof/postgres'
import type { Context } from '../context.ts'
import { type DataSet, type DataSetName, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import { prepareOnPostgres } from '../data/prepare-postgres.ts'
import { scenarios } from '../load/scenarios.ts'
import { peakMemory, residentMemory } from '../measure/process-stats.ts'
import { measureScenario } from '../measure/rounds.ts'
import { measureFirstList, measureStart } from '../measure/start-up.ts'
import type { Options } from '../options.ts'
import { compareReports, isRegression, slowerThanBaseline } from '../report/check.ts'
import { formatReport } from '../report/print.ts'
import type { DataSetReport, Report } from '../report/report.ts'
import { formatNumber } from '../report/table.ts'
import { withRunDirectory } from '../run-directory.ts'
import type { RunningServer } from '../server-process.ts'
import { buildServers, postgresServers, type ServerDefinition, servers } from '../servers.ts'
import { createSettings, type Settings } from '../settings.ts'

interface Plan {
  context: Context
  options: Options
  settings: Settings
  /** The baseline first. */
  definitions: readonly ServerDefinition[]
}

/** All servers run; one at a time is under load. */
function measureDataSet(plan: Plan, dataSet: DataSet, databases: Databases): Promise<DataSetReport> {
  const { context, options, settings, definitions } = plan
  return withRunDirectory(context, async ({ folder, start }) => {
    const running: RunningServer[] = []
    for (const definition of definitions)
      running.push(await start({ definition, databases, core: settings.serverCore }))
    const report: DataSetReport = { importSeconds: databases.importSeconds, scenarios: {}, memory: {} }
    for (const scenario of scenarios.filter(({ name }) => options.scenarios.includes(name))) {
      context.log(`${dataSet.name}: ${scenario.name}`)
      report.scenarios[scenario.name] = await measureScenario(context, {
        settings,
        dataSet,
        scenario,
        servers: running,
        folder,
      })
    }
    for (const { name, pid } of running)
      report.memory[name] = { afterLoadMegabytes: residentMemory(pid), peakMegabytes: peakMemory(pid) }
    return report
  })
}

type MeasureStart<T> = (start: () => Promise<RunningServer>, times: number) => Promise<T>

function measureStarts<T>(
  plan: Plan,
  databases: Databases,
  measure: MeasureStart<T>,
): Promise<Record<string, T>> {
  const { context, settings, definitions } = plan
  return withRunDirectory(context, async ({ start }) => {
    const reports: Record<string, T> = {}
    for (const definition of definitions) {
      const startAgain = () => start({ definition, databases, core: settings.serverCore })
      reports[definition.name] = await measure(startAgain, settings.starts)
    }
    return reports
  })
}

async function measureServers(
  context: Context,
  options: Options,
  all: readonly ServerDefinition[],
  prepare: (dataSet: DataSet) => Promise<Databases>,
): Promise<Report> {
  const { quick, rounds, pinned } = options
  const settings = createSettings({ quick, rounds, pinned: pinned && context.cores > 1 })
  const plan: Plan = { context, options, settings, definitions: all }
  const prepared = new Map<DataSetName, Databases>()
  for (const name of options.data) prepared.set(name, await prepare(dataSets[name]))
  const report: Report = {
    measuredAt: new Date().toISOString(),
    node: process.versions.node,
    cores: context.cores,
    quick,
    dataSets: {},
    start: {},
    firstList: {},
  }
  for (const [name, databases] of prepared)
    report.dataSets[name] = await measureDataSet(plan, dataSets[name], databases)
  const [smallest] = prepared.values()
  const large = prepared.get('large')
  context.log('start')
  if (smallest) report.start = await measureStarts(plan, smallest, measureStart)
  if (large) report.firstList = await measureStarts(plan, large, measureFirstList)
  console.log(formatReport(report))
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
  return report
}

function check(report: Report, file: string | undefined): boolean {
  if (file === undefined) return true
  const comparisons = compareReports(JSON.parse(readFileSync(file, 'utf8')), report)
  const regressions = comparisons.filter(isRegression)
  for (const { scenario, recorded, now } of regressions)
    console.log(
      `slower than recorded: ${scenario}: ${formatNumber(now)} instead of ${formatNumber(recorded)}`,
    )
  if (comparisons.length === 0) console.log(`${file} has no scenario in common with this run`)
  return comparisons.length > 0 && regressions.length === 0
}

const chosen = (definitions: readonly ServerDefinition[], options: Options) =>
  definitions.filter(({ name }) => options.servers.includes(name))

/** The service beside a baseline and competitors. */
export async function compare(context: Context, options: Options): Promise<boolean> {
  const prepare = (dataSet: DataSet) => prepareDataSet(context, dataSet)
  return check(await measureServers(context, options, chosen(servers, options), prepare), options.check)
}

/** Enough for the large data set to be in memory; durability stays on. */
const postgresSettings = { shared_buffers: '1GB', max_wal_size: '4GB', max_connections: 100 }

/** The service on PostgreSQL beside raw `node:http` and `pg` on the same server. */
export async function comparePostgres(context: Context, options: Options): Promise<boolean> {
  const server = await startPostgres({ folder: join(context.cache, 'postgres'), settings: postgresSettings })
  try {
    const prepare = (dataSet: DataSet) => prepareOnPostgres(context, dataSet, server.url)
    return check(
      await measureServers(context, options, chosen(postgresServers, options), prepare),
      options.check,
    )
  } finally {
    await server.remove()
  }
}

/** Two builds of the repository on the same data. Fails where the new one was slower in every round. */
export async function compareBuilds(context: Context, options: Options): Promise<boolean> {
  const { old, current, rounds, quick } = options
  // The old build imports: the new one can read what it wrote, not the other way round.
  const prepare = (dataSet: DataSet) => prepareDataSet({ ...context, api: join(old, 'apps/api') }, dataSet)
  const enough = { ...options, rounds: rounds ?? (quick ? 5 : 9) }
  const slower = slowerThanBaseline(
    await measureServers(context, enough, buildServers(old, current), prepare),
    'new',
  )
  for (const scenario of slower) console.log(`slower in every round: ${scenario}`)
  return slower.length === 0
}
