import { join } from 'node:path'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import { type Cell, cells } from '../load/cells.ts'
import { rateOf } from '../load/load.ts'
import { writeRequests } from '../load/request-file.ts'
import { createLoader, type Loader } from '../load/run.ts'
import type { Options } from '../options.ts'
import { formatSpread, formatTable } from '../report/table.ts'
import type { RunningServer } from '../server-process.ts'
import { service } from '../servers.ts'
import { createSettings, type Settings } from '../settings.ts'
import { ratios } from '../statistics.ts'
import { copyInto, withWorkplace } from '../workplace.ts'

interface Contender {
  server: RunningServer
  /** Where the load runs. */
  core: number | undefined
}

const notice = `Load and service share the machine's cores. "one" and "two" are that many processes, free to run anywhere: "two" takes its
second core from the load. "one core" is one process and its load together on a single core: two / one core is what
doubling the whole machine brings.`

async function measureCell(
  loader: Loader,
  settings: Settings,
  contenders: readonly Contender[],
  { cell, file }: { cell: Cell; file: string },
): Promise<number[][]> {
  const rates: number[][] = contenders.map(() => [])
  for (let round = 0; round <= settings.rounds; round++) {
    for (const [index, { server, core }] of contenders.entries()) {
      const seconds = cell.connections ? 3 * settings.seconds : settings.seconds
      const connections = cell.connections ?? settings.connections
      const load = { port: server.port, file, offset: round * 37_199, seconds, connections, core }
      const result = await loader.full({ ...load, threads: core === undefined ? 2 : 1 })
      await server.settle()
      if (round > 0) rates[index]!.push(rateOf(result))
    }
  }
  return rates
}

function measureDataSet(
  context: Context,
  options: Options,
  { dataSet, databases }: { dataSet: DataSet; databases: Databases },
): Promise<string> {
  const settings = createSettings({ quick: options.quick, cores: context.cores })
  const loader = createLoader(context)
  return withWorkplace(context, async (workplace) => {
    const copies = await copyInto(workplace, databases)
    const begin = async (name: string, processes: number, core?: number): Promise<Contender> => {
      const definition = service(name, { WEB_CONCURRENCY: String(processes) })
      return { server: await workplace.start({ definition, databases: copies, core }), core }
    }
    const contenders = [await begin('one', 1), await begin('two', 2), await begin('one-core', 1, 0)]
    const rows: string[][] = []
    for (const cell of cells.filter(({ name }) => options.cells.includes(name))) {
      context.say(`${dataSet.name}: ${cell.name}`)
      const file = join(workplace.folder, `${cell.name}.requests`)
      writeRequests(file, cell.requests(dataSet))
      const [one, two, oneCore] = await measureCell(loader, settings, contenders, { cell, file })
      rows.push([cell.name, formatSpread(ratios(two!, one!)), formatSpread(ratios(two!, oneCore!))])
    }
    return formatTable([dataSet.name, 'two / one', 'two / one core'], rows)
  })
}

/** What a second process brings. */
export async function measureCores(context: Context, options: Options): Promise<boolean> {
  console.log(`${context.cores} cores. ${notice}`)
  for (const name of options.data) {
    const dataSet = dataSets[name]
    const databases = await prepareDataSet(context, dataSet)
    console.log(`\n${await measureDataSet(context, options, { dataSet, databases })}`)
  }
  return true
}
