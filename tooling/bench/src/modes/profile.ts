import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import { type Scenario, scenarios } from '../load/scenarios.ts'
import { runWrk, writeRequests } from '../load/wrk.ts'
import type { Options } from '../options.ts'
import { formatShares, selfTimesOf } from '../report/profile.ts'
import { withRunDirectory } from '../run-directory.ts'
import { service } from '../servers.ts'
import { createSettings } from '../settings.ts'

async function profileScenario(
  context: Context,
  { quick, pinned }: Options,
  { dataSet, databases, scenario }: { dataSet: DataSet; databases: Databases; scenario: Scenario },
) {
  const { connections, serverCore, loadCore } = createSettings({ quick, rounds: 1, pinned })
  const profiles = join(context.cache, 'profiles', `${dataSet.name}-${scenario.name}`)
  rmSync(profiles, { recursive: true, force: true })
  mkdirSync(profiles, { recursive: true })
  await withRunDirectory(context, async ({ folder, start }) => {
    const file = join(folder, 'requests')
    writeRequests(file, scenario.requests(dataSet))
    const server = await start({
      definition: service('saleproof'),
      databases,
      core: serverCore,
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${profiles}`],
    })
    await runWrk(context, {
      port: server.port,
      file,
      offset: 0,
      seconds: quick ? 2 : 6,
      connections: scenario.connections ?? connections,
      core: loadCore,
    })
    await server.settle()
  })
  // The largest is that of the process that served.
  const [largest = ''] = globSync(`${profiles}/*.cpuprofile`).sort(
    (a, b) => statSync(b).size - statSync(a).size,
  )
  const shares = selfTimesOf(JSON.parse(readFileSync(largest, 'utf8')))
  console.log(`\n${dataSet.name}, ${scenario.name} (${largest})\n\n${formatShares(shares)}`)
}

/** Prints which functions take the service's time. */
export async function profile(context: Context, options: Options): Promise<boolean> {
  for (const dataSet of options.data.map((name) => dataSets[name])) {
    const databases = await prepareDataSet(context, dataSet)
    for (const scenario of scenarios.filter(({ name }) => options.scenarios.includes(name)))
      await profileScenario(context, options, { dataSet, databases, scenario })
  }
  return true
}
