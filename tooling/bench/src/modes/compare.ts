import { readFileSync, writeFileSync } from 'node:fs'
import type { Context } from '../context.ts'
import { type DataSet, type DataSetName, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import { cells } from '../load/cells.ts'
import { createLoader, type Loader } from '../load/run.ts'
import { peakMemory, residentMemory } from '../measure/process-figures.ts'
import { measureCell } from '../measure/rounds.ts'
import { measureFirstList, measureStart } from '../measure/start-up.ts'
import type { Options } from '../options.ts'
import { compareReports, isLoss } from '../report/check.ts'
import { formatReport } from '../report/print.ts'
import type { DataSetReport, Report } from '../report/report.ts'
import { formatNumber } from '../report/table.ts'
import type { RunningServer } from '../server-process.ts'
import { servers as allServers, type ServerDefinition } from '../servers.ts'
import { createSettings, type Settings } from '../settings.ts'
import { copyInto, withWorkplace } from '../workplace.ts'

interface Plan {
  context: Context
  options: Options
  settings: Settings
  loader: Loader
  definitions: readonly ServerDefinition[]
}

/** Everything about one data set: its cells with all servers running, one of them under load at a time. */
function measureDataSet(plan: Plan, dataSet: DataSet, databases: Databases): Promise<DataSetReport> {
  const { context, options, settings, loader, definitions } = plan
  return withWorkplace(context, async (workplace) => {
    const { folder, start } = workplace
    const copies = await copyInto(workplace, databases)
    const servers: RunningServer[] = []
    for (const definition of definitions) {
      servers.push(await start({ definition, databases: copies, core: settings.serverCore }))
    }
    const report: DataSetReport = { importSeconds: databases.importSeconds, cells: {}, memory: {} }
    for (const cell of cells.filter(({ name }) => options.cells.includes(name))) {
      context.say(`${dataSet.name}: ${cell.name}`)
      report.cells[cell.name] = await measureCell({ loader, settings, dataSet, cell, servers, folder })
    }
    for (const { name, pid } of servers) {
      report.memory[name] = { afterLoadMegabytes: residentMemory(pid), peakMegabytes: peakMemory(pid) }
    }
    return report
  })
}

/** Start-up on the smallest data set, the first list on the large one, each in processes of their own. */
async function measureStarts(plan: Plan, report: Report, prepared: ReadonlyMap<DataSetName, Databases>) {
  const { context, settings, definitions } = plan
  const [smallest] = prepared.values()
  context.say('start')
  await withWorkplace(context, async (workplace) => {
    const databases = await copyInto(workplace, smallest!)
    for (const definition of definitions) {
      const start = () => workplace.start({ definition, databases, core: settings.serverCore })
      report.start[definition.name] = await measureStart(start, settings.starts)
    }
  })
  const large = prepared.get('large')
  if (!large) return
  context.say('the first list of 10,000 items')
  await withWorkplace(context, async (workplace) => {
    const databases = await copyInto(workplace, large)
    for (const definition of definitions) {
      const start = () => workplace.start({ definition, databases, core: settings.serverCore })
      report.firstList[definition.name] = await measureFirstList(start, settings.starts)
    }
  })
}

function check(report: Report, file: string): boolean {
  const comparisons = compareReports(JSON.parse(readFileSync(file, 'utf8')), report)
  for (const { what, recorded, now } of comparisons.filter(isLoss)) {
    console.log(`slower than recorded: ${what}: ${formatNumber(now)} instead of ${formatNumber(recorded)}`)
  }
  if (comparisons.length === 0) console.log(`${file} has nothing in common with what was measured`)
  return comparisons.length > 0 && !comparisons.some(isLoss)
}

/** What is compared, and on which databases. */
export interface Comparison {
  servers: readonly ServerDefinition[]
  prepare: (context: Context, dataSet: DataSet) => Promise<Databases>
}

/** The service beside a floor and peers, as ratios. */
export async function compareServers(
  context: Context,
  options: Options,
  comparison: Comparison,
): Promise<boolean> {
  const settings = createSettings({ quick: options.quick, cores: context.cores })
  const loader = createLoader(context)
  const definitions = comparison.servers.filter(({ name }) => options.servers.includes(name))
  const plan: Plan = { context, options, settings, loader, definitions }
  const report: Report = {
    measuredAt: new Date().toISOString(),
    node: process.versions.node,
    cores: context.cores,
    load: loader.name,
    quick: options.quick,
    dataSets: {},
    start: {},
    firstList: {},
  }
  const prepared = new Map<DataSetName, Databases>()
  for (const name of options.data) prepared.set(name, await comparison.prepare(context, dataSets[name]))
  for (const [name, databases] of prepared) {
    report.dataSets[name] = await measureDataSet(plan, dataSets[name], databases)
  }
  await measureStarts(plan, report, prepared)
  console.log(formatReport(report))
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
  return options.check === undefined || check(report, options.check)
}

export const compare = (context: Context, options: Options) =>
  compareServers(context, options, { servers: allServers, prepare: prepareDataSet })
