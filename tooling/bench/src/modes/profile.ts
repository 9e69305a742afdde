import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import { type Cell, cells } from '../load/cells.ts'
import { writeRequests } from '../load/request-file.ts'
import { createLoader } from '../load/run.ts'
import type { Options } from '../options.ts'
import { allocationsOf, formatShares, selfTimesOf } from '../report/profile.ts'
import { service } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { copyInto, withWorkplace } from '../workplace.ts'

const kinds = [
  { option: '--cpu-prof', extension: 'cpuprofile', title: 'processor time', shares: selfTimesOf },
  { option: '--heap-prof', extension: 'heapprofile', title: 'memory allocated', shares: allocationsOf },
] as const

interface Subject {
  dataSet: DataSet
  databases: Databases
  cell: Cell
  seconds: number
}

/** Runs the service under Node's profilers, one after the other: each would show the other's work. */
async function profileCell(context: Context, { dataSet, databases, cell, seconds }: Subject) {
  const settings = createSettings({ quick: true, cores: context.cores })
  const loader = createLoader(context)
  for (const { option, extension, title, shares } of kinds) {
    const folder = join(context.cache, 'profiles', `${dataSet.name}-${cell.name}`, extension)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await withWorkplace(context, async (workplace) => {
      const file = join(workplace.folder, 'requests')
      writeRequests(file, cell.requests(dataSet))
      const server = await workplace.start({
        definition: service('saleproof'),
        databases: await copyInto(workplace, databases),
        core: settings.serverCore,
        nodeOptions: [option, `${option}-dir=${folder}`],
      })
      const connections = cell.connections ?? settings.connections
      const load = { port: server.port, file, offset: 0, seconds, connections, core: settings.loadCore }
      await loader.full(load)
      await server.settle()
      await server.stop()
    })
    // The process that served has the most to tell; one that only watches over others leaves a small file.
    const files = globSync(`${folder}/*.${extension}`).sort((a, b) => statSync(b).size - statSync(a).size)
    const profile = JSON.parse(readFileSync(files[0]!, 'utf8'))
    console.log(`\n${dataSet.name}, ${cell.name}: ${title} (${files[0]})\n\n${formatShares(shares(profile))}`)
  }
}

/** Where the service's time and memory go, cell by cell. */
export async function profile(context: Context, options: Options): Promise<boolean> {
  for (const name of options.data) {
    const dataSet = dataSets[name]
    const databases = await prepareDataSet(context, dataSet)
    for (const cell of cells.filter((candidate) => options.cells.includes(candidate.name))) {
      await profileCell(context, { dataSet, databases, cell, seconds: options.quick ? 2 : 6 })
    }
  }
  return true
}
