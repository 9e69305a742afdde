import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from './context.ts'
import { importDataSet } from './data/prepare.ts'
import {
  createUnknownCode,
  isActive,
  itemIdAt,
  itemOfPurchase,
  purchaseCode,
  workspaceOfItem,
} from './data/records.ts'
import { get, validation } from './load/scenarios.ts'
import { send } from './request.ts'
import { startServer } from './server-process.ts'
import { service } from './servers.ts'
import { createRandom, median, quantile, shuffle, welch } from './statistics.ts'

// The time of a response must not reveal that a code or an item exists in another workspace. Two kinds of requests are sent in
// random order on one connection, and Welch's t-test compares their times.

const dataSet = { name: 'timing', workspaces: 2, mainItems: 500, items: 1000, purchases: 10_000 }
const samples = 4000
/** Above this |t| two kinds of requests differ. */
const maxT = 4.5
/** Times above this quantile are outliers of the machine and would hide a difference. */
const outliersAbove = 0.75

const home = resolve(import.meta.dirname, '..')
let context: Context
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  const cache = mkdtempSync(join(tmpdir(), 'saleproof-timing-'))
  const { PATH, HOME } = process.env
  const api = resolve(home, '../../apps/api')
  context = { home, api, cache, node: process.execPath, cores: 1, env: { PATH, HOME }, log: () => {} }
  const database = join(cache, 'imported.db')
  await importDataSet(context, dataSet, database)
  server = await startServer(context, { definition: service('saleproof'), database, folder: cache })
})

afterAll(async () => {
  await server?.stop()
  rmSync(context.cache, { recursive: true, force: true })
})

const codesOfOtherWorkspace = Array.from({ length: dataSet.purchases }, (_, purchase) => purchase)
  .filter((purchase) => workspaceOfItem(dataSet, itemOfPurchase(dataSet, purchase)) !== 0)
  .filter((purchase) => isActive(dataSet, purchase))
  .map(purchaseCode)
const pick = (codes: readonly string[], index: number) => validation(codes[index % codes.length] ?? '')
const unknownCode = (index: number) => validation(createUnknownCode(index))
const item = (id: number) => get(`/api/items/item?item_id=${id}`)
const otherItems = dataSet.items - dataSet.mainItems

/** The microseconds of each request. */
async function timesOf(requests: readonly string[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (const request of requests) {
    const start = performance.now()
    await send(server.port, request, agent)
    times.push((performance.now() - start) * 1000)
  }
  agent.destroy()
  return times
}

type RequestAt = (index: number) => string

/** |t| of two kinds of requests. */
async function compare(a: RequestAt, b: RequestAt): Promise<number> {
  const pairs = Array.from({ length: samples }, (_, index) => index)
  const order = shuffle(
    pairs.flatMap((index) => [
      { isA: true, request: a(index) },
      { isA: false, request: b(index) },
    ]),
    createRandom(12),
  )
  const requests = order.map(({ request }) => request)
  await timesOf(requests.slice(0, samples))
  const times = await timesOf(requests)
  const limit = quantile(times, outliersAbove)
  const of = (isA: boolean) => times.filter((time, index) => order[index]?.isA === isA && time <= limit)
  const t = Math.abs(welch(of(true), of(false)))
  console.log(
    `medians ${median(of(true)).toFixed(1)} and ${median(of(false)).toFixed(1)} µs, |t| ${t.toFixed(1)}`,
  )
  return t
}

test('an unknown code takes as long as a code of another workspace', async () => {
  expect(codesOfOtherWorkspace.length).toBeGreaterThan(1000)
  expect(await compare(unknownCode, (index) => pick(codesOfOtherWorkspace, index))).toBeLessThan(maxT)
})

const unknownItem = (index: number) => item(itemIdAt(dataSet.items + index))

test('an unknown item takes as long as an item of another workspace', async () => {
  const otherItem = (index: number) => item(itemIdAt(dataSet.mainItems + (index % otherItems)))
  expect(await compare(unknownItem, otherItem)).toBeLessThan(maxT)
})

test('a difference of ten microseconds is found: an item of the workspace takes less', async () => {
  const ownItem = (index: number) => item(itemIdAt(index % dataSet.mainItems))
  expect(await compare(unknownItem, ownItem)).toBeGreaterThan(maxT)
})
