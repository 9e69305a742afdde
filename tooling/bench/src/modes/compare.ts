import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import { prepareOnPostgres, withPostgres } from '../data/prepare-postgres.ts'
import { workspaceSlug } from '../data/records.ts'
import { get, scenarios } from '../load/scenarios.ts'
import { peakMemory, residentMemory } from '../measure/process-stats.ts'
import { measureScenario } from '../measure/rounds.ts'
import type { Options } from '../options.ts'
import { formatReport } from '../report/print.ts'
import { type DataSetReport, type Report, slowerThanBaseline } from '../report/report.ts'
import { send } from '../request.ts'
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
  prepare: (dataSet: DataSet) => Promise<string>
}

const noSigningKey = 'none'

/** The id of the signing key that a service has. */
async function readSigningKey({ port }: RunningServer): Promise<string> {
  const { status, body } = await send(port, get('/.well-known/jwks.json'))
  return status === 200 ? (JSON.parse(body.toString()).keys[0]?.kid ?? noSigningKey) : noSigningKey
}

/** All servers run; one at a time is under load. */
function measureDataSet(
  comparison: Comparison,
  settings: Settings,
  { dataSet, database }: { dataSet: DataSet; database: string },
): Promise<DataSetReport> {
  const { context, options, definitions } = comparison
  const profiling = ['--cpu-prof', `--cpu-prof-dir=${join(context.cache, 'profiles')}`]
  return withRunDirectory(context, async ({ folder, start }) => {
    const running: RunningServer[] = []
    // The newest is the first that is published. It fails where a run before made the tenth, or a build is from before there were any.
    const rotate = ['signing-key', 'rotate', '--workspace', workspaceSlug(0)]
    await runService(context, rotate, { database }).catch(() => {})
    for (const definition of definitions) {
      const nodeOptions = options.profile && definition.isService ? profiling : []
      running.push(await start({ definition, database, core: settings.serverCore, nodeOptions }))
    }
    const [last] = running.slice(-1)
    const signingKey = last ? await readSigningKey(last) : noSigningKey
    const report: DataSetReport = { scenarios: {}, memory: {} }
    for (const scenario of scenarios.filter(({ name }) => options.scenarios.includes(name))) {
      context.log(`${dataSet.name}: ${scenario.name}`)
      const measured = { settings, dataSet, scenario, signingKey, servers: running, folder }
      report.scenarios[scenario.name] = await measureScenario(context, measured)
    }
    for (const { name, pid } of running)
      report.memory[name] = { afterLoadMegabytes: residentMemory(pid), peakMegabytes: peakMemory(pid) }
    return report
  })
}

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
  }
  for (const name of data) {
    const dataSet = dataSets[name]
    const database = await prepare(dataSet)
    report.dataSets[name] = await measureDataSet(comparison, settings, { dataSet, database })
  }
  console.log(formatReport(report))
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  return report
}

/** On SQLite files, or a PostgreSQL server of its own; `importing` has the build that makes the data sets. */
function measureOn(importing: Context, comparison: Omit<Comparison, 'prepare'>): Promise<Report> {
  const { context, options } = comparison
  if (!options.postgres)
    return measure({ ...comparison, prepare: (dataSet) => prepareDataSet(importing, dataSet) })
  return withPostgres(context, (server) => {
    async function prepare(dataSet: DataSet) {
      const database = await prepareOnPostgres(importing, dataSet, server)
      // Two builds share the database. The old one runs on the new schema: migrations expand before they contract.
      await runService(context, ['migrate'], { database })
      return database
    }
    return measure({ ...comparison, prepare })
  })
}

/** The service beside a baseline. */
export async function compare(context: Context, options: Options): Promise<boolean> {
  const definitions = servers.filter(({ name }) => options.servers.includes(name))
  await measureOn(context, { context, options, definitions })
  return true
}

/** Two builds of the repository on the same data. Fails where the new one was slower in every round. */
export async function compareBuilds(context: Context, options: Options): Promise<boolean> {
  const { old, current, quick } = options
  const definitions = buildServers(old, current)
  const rounds = options.rounds ?? (quick ? 5 : 9)
  // The old build imports: the new one can read what it wrote, not the other way round.
  const importing = { ...context, api: join(old, 'apps/api') }
  const migrating = { ...context, api: join(current, 'apps/api') }
  const report = await measureOn(importing, {
    context: migrating,
    options: { ...options, rounds },
    definitions,
  })
  const slower = slowerThanBaseline(report, 'new')
  for (const scenario of slower) console.log(`slower in every round: ${scenario}`)
  return slower.length === 0
}
