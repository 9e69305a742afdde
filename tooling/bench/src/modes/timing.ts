import { Agent } from 'node:http'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import {
  codeOf,
  isActive,
  itemIdOf,
  itemOfPurchase,
  unknownCodeOf,
  workspaceOfItem,
} from '../data/records.ts'
import { activeCodes, get, validation } from '../load/scenarios.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { send } from '../request.ts'
import { withRunDirectory } from '../run-directory.ts'
import { service } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { createRandom, median, quantile, shuffle, welch } from '../statistics.ts'

/** Requests of each kind. */
const samples = 10_000
/** Above this |t| two kinds of requests differ. */
const maxT = 4.5
/** Times above this quantile are outliers of the machine and would hide a difference. */
const outliersAbove = 0.95

/** Two kinds of requests, and whether a caller must be unable to tell them apart. */
interface Pair {
  name: string
  a: (index: number) => string
  b: (index: number) => string
  isAlike: boolean
}

function codesOfOtherWorkspaces(dataSet: DataSet): string[] {
  const codes: string[] = []
  for (let purchase = 0; codes.length < samples && purchase < dataSet.purchases; purchase++) {
    const workspace = workspaceOfItem(dataSet, itemOfPurchase(dataSet, purchase))
    if (workspace !== 0 && isActive(dataSet, purchase)) codes.push(codeOf(purchase))
  }
  return shuffle(codes, createRandom(11))
}

function pairsOf(dataSet: DataSet): Pair[] {
  const foreign = codesOfOtherWorkspaces(dataSet)
  const known = activeCodes(dataSet)
  const unknown = (index: number) => validation(unknownCodeOf(index))
  const item = (id: number) => get(`/api/items/item?item_id=${id}`)
  return [
    {
      name: 'unknown code, code of another workspace',
      isAlike: true,
      a: unknown,
      b: (index) => validation(foreign[index] ?? ''),
    },
    {
      name: 'unknown item, item of another workspace',
      isAlike: true,
      a: (index) => item(itemIdOf(dataSet.items + index)),
      b: (index) => item(itemIdOf(dataSet.mainItems + (index % (dataSet.items - dataSet.mainItems)))),
    },
    // Shows that a difference would be found.
    {
      name: 'unknown code, known code',
      isAlike: false,
      a: unknown,
      b: (index) => validation(known[index] ?? ''),
    },
  ]
}

/** Sends one request after the other on one connection; returns the microseconds of each. */
async function timesOf(port: number, requests: readonly string[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (const request of requests) {
    const start = performance.now()
    await send(port, request, agent)
    times.push((performance.now() - start) * 1000)
  }
  agent.destroy()
  return times
}

async function measurePair(port: number, { a, b, isAlike }: Pair) {
  const order = shuffle(
    Array.from({ length: 2 * samples }, (_, index) => ({ isA: index % 2 === 0, index: index >> 1 })),
    createRandom(12),
  )
  const requests = order.map(({ isA, index }) => (isA ? a(index) : b(index)))
  await timesOf(port, requests.slice(0, samples))
  const times = await timesOf(port, requests)
  const limit = quantile(times, outliersAbove)
  const of = (isA: boolean) => times.filter((time, index) => order[index]?.isA === isA && time <= limit)
  const t = Math.abs(welch(of(true), of(false)))
  return { t, medians: [median(of(true)), median(of(false))], passed: t < maxT === isAlike }
}

/**
 * Checks that the time of a response does not reveal that a code or an item exists in another workspace. The two kinds are
 * requested in random order, and Welch's t-test compares their times.
 */
export async function compareTimes(context: Context, { pinned }: Options): Promise<boolean> {
  const dataSet = dataSets.large
  const databases = await prepareDataSet(context, dataSet)
  const { serverCore } = createSettings({ quick: false, rounds: 1, pinned })
  return withRunDirectory(context, async ({ start }) => {
    const { port } = await start({ definition: service('saleproof'), databases, core: serverCore })
    const rows: string[][] = []
    let passed = true
    for (const pair of pairsOf(dataSet)) {
      context.log(pair.name)
      const result = await measurePair(port, pair)
      passed &&= result.passed
      const expected = `${pair.isAlike ? 'below' : 'above'} ${maxT}`
      rows.push([pair.name, ...result.medians.map(formatNumber), formatNumber(result.t), expected])
    }
    console.log(formatTable(['', 'median, µs', 'median, µs', '|t|', 'required'], rows))
    return passed
  })
}
