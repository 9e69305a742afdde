import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { DataSet } from '../data/data-sets.ts'
import { importStream } from '../data/import.ts'
import { linesOf } from '../data/lines.ts'
import { copyForPeers, foldLog } from '../data/prepare.ts'
import { catalogRecords, purchaseRecords } from '../data/records.ts'
import { randomValidations } from '../load/cells.ts'
import { createLoader } from '../load/run.ts'
import { measureCell } from '../measure/rounds.ts'
import type { Options } from '../options.ts'
import { formatGrowth, type GrowthPoint, plotGrowth } from '../report/growth.ts'
import { servers as allServers } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { withWorkplace } from '../workplace.ts'

const itemCount = 10_000
const purchaseSteps = [10_000, 100_000, 1_000_000, 10_000_000]
const workspaceSteps = [1, 100, 10_000]
const purchasesOfWorkspaces = 1_000_000
const subjects = ['floor', 'saleproof']

const dataSetOf = (workspaces: number, purchases: number): DataSet => ({
  name: `${workspaces}-${purchases}`,
  workspaces,
  mainItems: itemCount / workspaces,
  items: itemCount,
  purchases,
})

/** Grows one database from step to step; gives a point for each. */
function measureSeries(
  context: Context,
  { quick }: Options,
  steps: readonly DataSet[],
): Promise<GrowthPoint[]> {
  const settings = createSettings({ quick, cores: context.cores })
  const loader = createLoader(context)
  return withWorkplace(context, async ({ folder, start }) => {
    const databases = {
      service: join(folder, 'saleproof.db'),
      peers: join(folder, 'peers.db'),
      importSeconds: 0,
    }
    const load = (records: Iterable<object>) =>
      importStream(context, { records: Readable.from(linesOf(records)), database: databases.service })
    await load(catalogRecords(steps[0]!))

    const points: GrowthPoint[] = []
    let stored = 0
    for (const dataSet of steps) {
      const { workspaces, purchases } = dataSet
      context.say(`${workspaces} workspaces, ${purchases} purchases: importing`)
      const importSeconds = await load(purchaseRecords(dataSet, { from: stored }))
      foldLog(databases.service)
      await copyForPeers(databases.service, databases.peers, dataSet)
      const definitions = allServers.filter(({ name }) => subjects.includes(name))
      const servers = []
      for (const definition of definitions) {
        servers.push(await start({ definition, databases, core: settings.serverCore }))
      }
      context.say(`${workspaces} workspaces, ${purchases} purchases: validating`)
      const cell = { name: 'growth', status: 200, requests: randomValidations }
      const reports = await measureCell({ loader, settings, dataSet, cell, servers, folder })
      for (const server of servers) await server.stop()
      points.push({ workspaces, purchases, imported: purchases - stored, importSeconds, reports })
      stored = purchases
    }
    return points
  })
}

/** What a validation costs as the database grows, and how fast it is filled. */
export async function measureGrowth(context: Context, options: Options): Promise<boolean> {
  const byPurchases = await measureSeries(
    context,
    options,
    purchaseSteps.filter((step) => step <= options.most).map((step) => dataSetOf(1, step)),
  )
  const byWorkspaces: GrowthPoint[] = []
  const purchases = Math.min(purchasesOfWorkspaces, options.most)
  for (const workspaces of workspaceSteps) {
    byWorkspaces.push(...(await measureSeries(context, options, [dataSetOf(workspaces, purchases)])))
  }
  const folder = join(context.home, 'results')
  mkdirSync(folder, { recursive: true })
  const text = formatGrowth({ byPurchases, byWorkspaces })
  writeFileSync(join(folder, 'growth.md'), `${text}\n`)
  writeFileSync(join(folder, 'growth.svg'), plotGrowth({ byPurchases, byWorkspaces }))
  console.log(`${text}\n\nwritten to ${folder}`)
  return true
}
