import { once } from 'node:events'
import { connect } from 'node:net'
import type { Context } from '../context.ts'
import { type DataSet, dataSets } from '../data/data-sets.ts'
import { type Databases, prepareDataSet } from '../data/prepare.ts'
import {
  codeOf,
  isActive,
  itemIdOf,
  itemOfPurchase,
  unknownCodeOf,
  workspaceOfItem,
} from '../data/records.ts'
import { createAnswerReader } from '../load/answer-reader.ts'
import { activeCodes, get, validation } from '../load/cells.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { service } from '../servers.ts'
import { createSettings } from '../settings.ts'
import { createRandom, median, quantile, shuffle, welch } from '../statistics.ts'
import { copyInto, withWorkplace } from '../workplace.ts'

/** How many of each kind are asked for. */
const samples = 10_000
/** Beyond this the times of two kinds of answers differ. */
const largestT = 4.5
/** Times beyond this quantile of all are the machine's, not the service's: with them the test would see less. */
const kept = 0.95

/** Two kinds of requests, and whether whoever asks must not be able to tell them apart. */
interface Pair {
  name: string
  a: (index: number) => string
  b: (index: number) => string
  alike: boolean
}

/** Purchases of other workspaces than the one that asks. */
function foreignPurchases(dataSet: DataSet): number[] {
  const found: number[] = []
  for (let purchase = 0; found.length < samples && purchase < dataSet.purchases; purchase++) {
    const workspace = workspaceOfItem(dataSet, itemOfPurchase(dataSet, purchase))
    if (workspace !== 0 && isActive(dataSet, purchase)) found.push(purchase)
  }
  return shuffle(found, createRandom(11))
}

function pairsOf(dataSet: DataSet): Pair[] {
  const foreign = foreignPurchases(dataSet)
  const known = activeCodes(dataSet)
  const unknown = (index: number) => validation(unknownCodeOf(index))
  const item = (id: number) => get(`/api/items/item?item_id=${id}`)
  return [
    {
      name: 'an unknown code, another workspace’s',
      alike: true,
      a: unknown,
      b: (index) => validation(codeOf(foreign[index]!)),
    },
    {
      name: 'an unknown item, another workspace’s',
      alike: true,
      a: (index) => item(itemIdOf(dataSet.items + index)),
      b: (index) => item(itemIdOf(dataSet.mainItems + (index % (dataSet.items - dataSet.mainItems)))),
    },
    // Shows that a difference would be seen.
    {
      name: 'an unknown code, a known one',
      alike: false,
      a: unknown,
      b: (index) => validation(known[index]!),
    },
  ]
}

/** Asks for one thing after the other on one connection; gives the microseconds that each took. */
async function timesOf(port: number, requests: readonly string[]): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const read = createAnswerReader()
  const times: number[] = []
  for (const request of requests) {
    const answered = new Promise<void>((resolve, reject) => {
      const onData = (piece: Buffer) => {
        if (read(piece) === undefined) return
        times.push(Number(process.hrtime.bigint() - start) / 1000)
        socket.off('data', onData)
        resolve()
      }
      socket.on('data', onData)
      socket.once('error', reject)
    })
    const start = process.hrtime.bigint()
    socket.write(request)
    await answered
    socket.removeAllListeners('error')
  }
  socket.destroy()
  return times
}

async function measurePair(port: number, { a, b, alike }: Pair) {
  const order = shuffle(
    Array.from({ length: 2 * samples }, (_, index) => ({ first: index % 2 === 0, index: index >> 1 })),
    createRandom(12),
  )
  const requests = order.map(({ first, index }) => (first ? a(index) : b(index)))
  await timesOf(port, requests.slice(0, samples))
  const times = await timesOf(port, requests)
  const limit = quantile(times, kept)
  const of = (first: boolean) => times.filter((time, place) => order[place]!.first === first && time <= limit)
  const t = welch(of(true), of(false))
  return { t, medians: [median(of(true)), median(of(false))], passed: Math.abs(t) < largestT === alike }
}

async function measureDataSet(context: Context, dataSet: DataSet, databases: Databases) {
  const { serverCore } = createSettings({ quick: false, cores: context.cores })
  return withWorkplace(context, async (workplace) => {
    const copies = await copyInto(workplace, databases)
    const options = { definition: service('saleproof'), databases: copies, core: serverCore }
    const server = await workplace.start(options)
    const rows: string[][] = []
    let passed = true
    for (const pair of pairsOf(dataSet)) {
      context.say(`${dataSet.name}: ${pair.name}`)
      const result = await measurePair(server.port, pair)
      passed &&= result.passed
      const expected = pair.alike ? `below ${largestT}` : `above ${largestT}`
      const microseconds = result.medians.map(formatNumber)
      rows.push([pair.name, ...microseconds, formatNumber(Math.abs(result.t)), expected])
    }
    const head = [dataSet.name, 'median, µs', 'median, µs', '|t|', 'has to be']
    console.log(`\n${formatTable(head, rows)}`)
    return passed
  })
}

/**
 * Whether the time of an answer tells what the answer does not: that a code or an item exists elsewhere. The two kinds are asked for in
 * random order, and Welch's t-test compares their times.
 */
export async function compareTimes(context: Context, options: Options): Promise<boolean> {
  let passed = true
  // A data set of one workspace has nothing of another one.
  for (const dataSet of options.data.map((name) => dataSets[name]).filter((set) => set.workspaces > 1)) {
    passed = (await measureDataSet(context, dataSet, await prepareDataSet(context, dataSet))) && passed
  }
  return passed
}
