import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import type { Context } from '../context.ts'
import { shop } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import { createDatabase, execute, prepareOnPostgres, withPostgres } from '../data/prepare-postgres.ts'
import { customerOf, itemIdAt, nameAt, purchaseCode, workspaceSlug } from '../data/records.ts'
import { cpuSeconds } from '../measure/process-stats.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { type RunDirectory, withRunDirectory } from '../run-directory.ts'
import type { RunningServer } from '../server-process.ts'
import { service } from '../servers.ts'
import { runService } from '../service-command.ts'
import { quantile } from '../statistics.ts'

const rounds = 25
/** A slow request is not repeated as often. */
const longEnoughMs = 3000
/** No list of the console may take longer, whatever is looked for. */
const limitMs = 100
const password = 'the password of the bench'

/** The item whose sales are many, and older than those of all others. */
const oldItem = itemIdAt(0)
/** What makes a list hard to find: many old sales of one item, and a license that was sold once, long ago. */
const skew = [
  `UPDATE "Purchase" SET "itemId" = ${oldItem} WHERE "date" < '2022-02-12'`,
  `UPDATE "Purchase" SET "licenseType" = 'Lifetime' WHERE "code" = '${purchaseCode(7)}'`,
]

type Body = Readonly<Record<string, unknown>>

/** A request of the console: a search for purchases by its body, or the path of a `GET`. */
type ConsoleRequest = string | Body

const item = itemIdAt(20_000)
const [code, oldCode] = [purchaseCode(700_000), purchaseCode(123)]
const buyer = customerOf(700_000)
const month = { from: '2023-03-01T00:00:00Z', to: '2023-04-01T00:00:00Z' }
const middle = '2023-01-01T00:00:00Z'

/** Where the page after an item begins, as the console's API encodes it. */
const afterItem = (id: number) => Buffer.from(JSON.stringify([id, id])).toString('base64url')

const requests = (cursor: string): Record<string, ConsoleRequest> => ({
  'purchases: first page': {},
  'purchases: a page in the middle': { cursor },
  'an item with few sales': { item_id: item },
  'an item with many old sales': { item_id: oldItem },
  'license Extended': { license_type: 'Extended' },
  'a license sold once, long ago': { license_type: 'Lifetime' },
  'a license never sold': { license_type: 'Exten' },
  'active ones': { state: 'active' },
  'refunded ones': { state: 'refunded' },
  'revoked ones (none)': { state: 'revoked' },
  'a month': month,
  'a month, Extended, refunded': { ...month, license_type: 'Extended', state: 'refunded' },
  'a month, a license never sold': { ...month, license_type: 'Exten' },
  'many old sales, Extended, refunded': {
    item_id: oldItem,
    license_type: 'Extended',
    state: 'refunded',
  },
  'many old sales, a license never sold': { item_id: oldItem, license_type: 'Exten' },
  'whole code': { search: code },
  'first 4 of a code': { search: code.slice(0, 4) },
  'first 8 of a code': { search: oldCode.slice(0, 8) },
  'last 4 of a code': { search: code.slice(-4) },
  'last 8 of a code': { search: oldCode.slice(-8) },
  'last 4 of a code, refunded': { search: code.slice(-4), state: 'refunded' },
  'part of no code': { search: 'zzzzzz' },
  'customer: first name of 90,000': { search: nameAt(1) },
  'customer: first name of 6,000': { search: nameAt(20) },
  'customer: first name of 3,000': { search: nameAt(40) },
  'customer: first and last name': { search: buyer.customer_name },
  'customer: last name': { search: buyer.customer_name.split(' ')[1] },
  'customer: one letter': { search: 'r' },
  'customer: three letters': { search: nameAt(40).slice(0, 3) },
  'customer: e-mail address': { search: buyer.customer_email },
  'customer: first 4 of an e-mail address': { search: buyer.customer_email.slice(0, 4) },
  'customer: order': { search: buyer.order },
  'customer: a word of 20,000 notes': { search: 'invoice' },
  'customer: first name, refunded': { search: nameAt(1), state: 'refunded' },
  'customer: first name, an item with many old sales': { search: nameAt(1), item_id: oldItem },
  'customer: no such name': { search: 'wxyz' },
  'items: first page': '/items',
  'items: a page in the middle': `/items?sort=id&cursor=${afterItem(item)}`,
  'items by name': '/items?sort=name',
  'items of a category': '/items?category=loop',
  'items of a type and a category': '/items?kind=video&category=loop&sort=-name',
  'items, search by name': '/items?search=ambient+44',
  'items, search for nothing': '/items?search=zzzzzz',
  'item with many sales': `/items/${oldItem}`,
  'overview of 7 days': '/overview?period=7d',
  'overview of 90 days': '/overview?period=90d',
})

/** As much of the responses as is read here. */
interface Answer {
  csrf_token: string
  next_cursor: string
  purchases?: unknown[]
  items?: unknown[]
}

/** The owner, signed in. */
async function signIn(port: number) {
  const base = `http://127.0.0.1:${port}/console/api`
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const session = await fetch(`${base}/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ login: 'seller-0', password }),
  })
  const { csrf_token: token } = (await session.json()) as Answer
  const cookie = session.headers.getSetCookie().map((line) => line.split(';')[0])
  const signed = { ...headers, cookie: cookie.join('; '), 'x-csrf-token': token }
  const workspace = `${base}/workspaces/${workspaceSlug(0)}`
  return async function ask(request: ConsoleRequest): Promise<Answer> {
    const response =
      typeof request === 'string'
        ? await fetch(workspace + request, { headers: signed })
        : await fetch(`${workspace}/purchases/search`, {
            method: 'POST',
            headers: signed,
            body: JSON.stringify(request),
          })
    const body = (await response.json()) as Answer
    if (!response.ok)
      throw new Error(`${JSON.stringify(request)}: ${response.status} ${JSON.stringify(body)}`)
    return body
  }
}

interface Measured {
  name: string
  p50: number
  worst: number
  /** Processor time of the service for each request, without that of a database server. */
  processor: number
  rows: number
}

async function measure({ port, pid }: Pick<RunningServer, 'port' | 'pid'>): Promise<Measured[]> {
  const ask = await signIn(port)
  const { next_cursor: cursor } = await ask({ to: middle })
  const measured: Measured[] = []
  for (const [name, request] of Object.entries(requests(cursor))) {
    const times: number[] = []
    let rows = 0
    const begin = performance.now()
    const cpuBefore = cpuSeconds(pid)
    while (times.length < rounds && (times.length < 3 || performance.now() - begin < longEnoughMs)) {
      const start = performance.now()
      const body = await ask(request)
      times.push(performance.now() - start)
      rows = (body.purchases?.length ?? body.items?.length) || 0
    }
    const processor = ((cpuSeconds(pid) - cpuBefore) * 1000) / times.length
    measured.push({ name, p50: quantile(times, 0.5), worst: Math.max(...times), processor, rows })
  }
  return measured
}

async function measureOn(context: Context, { start }: RunDirectory, name: string, database: string) {
  const input = Readable.from([password])
  await runService(context, ['account', 'password', 'seller-0'], { database, input })
  context.log(name)
  const server = await start({ definition: service(name), database })
  const measured = await measure(server)
  await server.stop()
  return measured
}

async function onFile(context: Context, directory: RunDirectory) {
  // Where the server that is called so looks for its database.
  const copy = join(directory.folder, 'SQLite.db')
  copyFileSync(await prepareDataSet(context, shop), copy)
  const database = new Sqlite(copy)
  for (const statement of skew) database.exec(statement)
  database.close()
  return measureOn(context, directory, 'SQLite', copy)
}

const onServer = (context: Context, directory: RunDirectory) =>
  withPostgres(context, async (server) => {
    const template = new URL(await prepareOnPostgres(context, shop, server)).pathname.slice(1)
    const database = await createDatabase(server, 'console', template)
    await execute(database, [...skew, 'VACUUM ANALYZE'])
    return measureOn(context, directory, 'PostgreSQL', database)
  })

function print(database: string, measured: readonly Measured[] = []) {
  const rows = measured.map(({ name, p50, worst, processor, rows }) => [
    name,
    ...[p50, worst, processor].map(formatNumber),
    String(rows),
  ])
  rows.push(['limit', formatNumber(limitMs)])
  console.log(`${formatTable([database, 'p50, ms', 'worst, ms', 'processor, ms', 'rows'], rows)}\n`)
}

/** Measures what the console lists, filters and searches in a shop with 45,000 items and 1,000,000 purchases. */
export function measureConsole(context: Context, { postgres, json }: Options): Promise<boolean> {
  return withRunDirectory(context, async (directory) => {
    const results: Record<string, Measured[]> = { SQLite: await onFile(context, directory) }
    print('SQLite', results.SQLite)
    if (postgres) {
      results.PostgreSQL = await onServer(context, directory)
      print('PostgreSQL', results.PostgreSQL)
    }
    if (json) writeFileSync(json, JSON.stringify(results, undefined, 2))
    return Object.values(results)
      .flat()
      .every(({ p50 }) => p50 < limitMs)
  })
}
