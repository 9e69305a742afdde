import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@saleproof/postgres'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import { prepareOnPostgres } from '../data/prepare-postgres.ts'
import { scenarios } from '../load/scenarios.ts'
import { peakMemory, residentMemory } from '../measure/process-stats.ts'
import { measureScenario } from '../measure/rounds.ts'
import { measureFirstList, measureStart } from '../measure/start-up.ts'
import type { Options } from '../options.ts'
import { formatReport } from '../report/print.ts'
import { type DataSetReport, type Report, slowerThanBaseline } from '../report/report.ts'
import { withRunDirectory } from '../run-directory.ts'
import type { RunningServer } from '../server-process.ts'
import { buildServers, type ServerDefinition, servers } from '../servers.ts'
import { runService } from '../service-command.ts'
import { createSettings, type Settings } from '../settings.ts'

interface Comparison {
  context: Context
  options: Options
  /** The baseline first. */
  definitions: readonly ServerDefinition[]
  prepare: (dataSet: DataSet) => Promise<Databases>
}

type Start = (definition: ServerDefinition) => Promise<RunningServer>

/** Gives a function that starts servers of a run, and stops them afterwards. */
const withServers = <T>(
  { context, options }: Comparison,
  { serverCore }: Settings,
  databases: Databases,
  run: (start: Start, folder: string) => Promise<T>,
) =>
  withRunDirectory(context, ({ folder, start }) => {
    const profiling = ['--cpu-prof', `--cpu-prof-dir=${join(context.cache, 'profiles')}`]
    return run((definition) => {
      const nodeOptions = options.profile && definition.isService ? profiling : []
      return start({ definition, databases, core: serverCore, nodeOptions })
    }, folder)
  })

/** All servers run; one at a time is under load. */
function measureDataSet(
  comparison: Comparison,
  settings: Settings,
  { dataSet, databases }: { dataSet: DataSet; databases: Databases },
): Promise<DataSetReport> {
  const { context, options, definitions } = comparison
  return withServers(comparison, settings, databases, async (start, folder) => {
    const running: RunningServer[] = []
    for (const definition of definitions) running.push(await start(definition))
    const report: DataSetReport = { importSeconds: databases.importSeconds, scenarios: {}, memory: {} }
    for (const scenario of scenarios.filter(({ name }) => options.scenarios.includes(name))) {
      context.log(`${dataSet.name}: ${scenario.name}`)
      const measured = { settings, dataSet, scenario, servers: running, folder }
      report.scenarios[scenario.name] = await measureScenario(context, measured)
    }
    for (const { name, pid } of running)
      report.memory[name] = { afterLoadMegabytes: residentMemory(pid), peakMegabytes: peakMemory(pid) }
    return report
  })
}

/** Measures every server in processes of their own. */
const measureStarts = <T>(
  comparison: Comparison,
  settings: Settings,
  databases: Databases,
  measure: (start: () => Promise<RunningServer>, times: number) => Promise<T>,
) =>
  withServers(comparison, settings, databases, async (start) => {
    const reports: Record<string, T> = {}
    for (const definition of comparison.definitions)
      reports[definition.name] = await measure(() => start(definition), settings.starts)
    return reports
  })

async function measure(comparison: Comparison): Promise<Report> {
  const { context, options, prepare } = comparison
  const { quick, rounds, pinned, data, json } = options
  const settings = createSettings({ quick, rounds, pinned: pinned && context.cores > 1 })
  const report: Report = {
    measuredAt: new Date().toISOString(),
    node: process.versions.node,
    cores: context.cores,
    quick,
    dataSets: {},
    start: {},
    firstList: {},
  }
  for (const [index, name] of data.entries()) {
    const dataSet = dataSets[name]
    const databases = await prepare(dataSet)
    report.dataSets[name] = await measureDataSet(comparison, settings, { dataSet, databases })
    context.log(`${name}: start`)
    if (index === 0) report.start = await measureStarts(comparison, settings, databases, measureStart)
    if (name === 'large')
      report.firstList = await measureStarts(comparison, settings, databases, measureFirstList)
  }
  console.log(formatReport(report))
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  return report
}

/** The service beside a baseline and a competitor. */
export async function compare(context: Context, options: Options): Promise<boolean> {
  const definitions = servers.filter(({ name }) => options.servers.includes(name))
  await measure({ context, options, definitions, prepare: (dataSet) => prepareDataSet(context, dataSet) })
  return true
}

/** Enough for the large data set to be in memory; durability stays on. */
const postgresSettings = { shared_buffers: '1GB', max_wal_size: '4GB', max_connections: 100 }

/** Two builds of the repository on the same data. Fails where the new one was slower in every round. */
export async function compareBuilds(context: Context, options: Options): Promise<boolean> {
  const { old, current, quick, postgres } = options
  const definitions = buildServers(old, current)
  const rounds = options.rounds ?? (quick ? 5 : 9)
  // The old build imports: the new one can read what it wrote, not the other way round.
  const importing = { ...context, api: join(old, 'apps/api') }
  const folder = join(context.cache, 'postgres')
  const server = postgres ? await startPostgres({ folder, settings: postgresSettings }) : undefined
  try {
    const prepare = async (dataSet: DataSet) => {
      if (!server) return prepareDataSet(importing, dataSet)
      const databases = await prepareOnPostgres(importing, dataSet, server.url)
      // Both builds share the database. The old one runs on the new schema: migrations expand before they contract.
      await runService({ ...context, api: join(current, 'apps/api') }, ['migrate'], {
        database: databases.service,
      })
      return databases
    }
    const report = await measure({ context, options: { ...options, rounds }, definitions, prepare })
    const slower = slowerThanBaseline(report, 'new')
    for (const scenario of slower) console.log(`slower in every round: ${scenario}`)
    return slower.length === 0
  } finally {
    await server?.remove()
  }
}
