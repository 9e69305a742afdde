import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/open-database.ts'
import { secret } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { chunks, load, ndjson } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { records } from '../support/records.ts'
import { connectTo } from './servers.ts'

/** An address that leads to a server and counts how often it is waited for. */
async function countRoundTrips(target: URL) {
  let count = 0
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    let waiting = false
    near.on('data', () => {
      if (!waiting) count++
      waiting = true
    })
    far.on('data', () => {
      waiting = false
    })
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async during(act: () => Promise<unknown>) {
      const before = count
      await act()
      return count - before
    },
  }
}

/** Fails each statement that makes, changes or drops something of the schema, temporary or not. */
const forbidDefinitions = `
  CREATE FUNCTION refuse_ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''% is DDL'', tg_tag; END';
  CREATE EVENT TRIGGER refuse_ddl ON ddl_command_start EXECUTE FUNCTION refuse_ddl()`

async function openShop() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  const roundTrips = await countRoundTrips(new URL(url))
  const database = await openDatabase({
    databaseUrl: roundTrips.url,
    secret,
    cwd: '/',
    migrations,
    busyTimeoutMs: 50,
    clock: () => new Date(),
    migrate: 'always',
  })
  onTestFinished(database.close)
  await load(database, records)
  await (await connectTo(url)).query(forbidDefinitions)
  const sell = (count: number, name: string) =>
    database.importWhileServing({
      source: chunks(
        ndjson(Array.from({ length: count }, (_, index) => sale(`${name}-CODE-OF-A-SALE-${index}`))),
      ),
      now: () => new Date(),
      actor: 'admin-import',
    })
  return { database, sell, during: roundTrips.during }
}

const sale = (purchase_code: string) => ({
  type: 'purchase',
  item: 101,
  purchase_code,
  license_type: 'Regular',
  price: 1,
  currency: 'USD',
  downloaded: false,
  date: '2024-01-01T00:00:00Z',
})

test('a sale costs four round trips, and nothing of the schema', async () => {
  const { sell, during } = await openShop()
  await sell(1, 'FIRST')
  expect(await during(() => sell(1, 'ONE'))).toBeLessThanOrEqual(4)
  expect(await during(() => sell(1, 'ONE'))).toBeLessThanOrEqual(4)
  expect(await during(() => sell(100, 'MANY'))).toBeLessThanOrEqual(5)
})
