import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/open-database.ts'
import { importRecords } from '../faults/serving.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { secret } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { chunks, load, ndjson } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { codes, records } from '../support/records.ts'
import { startSlowNetwork } from '../support/slow-network.ts'
import { startInstance } from './instance.ts'
import { connectTo } from './servers.ts'

/** Fails each statement that makes, changes or drops something of the schema, temporary or not. */
const forbidDefinitions = `
  CREATE FUNCTION refuse_ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''% is DDL'', tg_tag; END';
  CREATE EVENT TRIGGER refuse_ddl ON ddl_command_start EXECUTE FUNCTION refuse_ddl()`

/** A database on the other side of a network that counts round trips. */
async function startShop() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  const network = await startSlowNetwork(Number(new URL(url).port), 1)
  const far = new URL(url)
  far.host = `127.0.0.1:${network.port}`
  const count = () => network.connections().reduce((sum, { roundTrips }) => sum + roundTrips, 0)
  return {
    url,
    far: far.href,
    async during(act: () => Promise<unknown>) {
      const before = count()
      await act()
      return count() - before
    },
  }
}

async function openShop() {
  const { url, far, during } = await startShop()
  const opened = await openDatabase({
    databaseUrl: far,
    secret,
    cwd: '/',
    migrations,
    busyTimeoutMs: 50,
    clock: () => new Date(),
    migrate: 'always',
  })
  onTestFinished(opened.close)
  await load(opened, records)
  await (await connectTo(url)).query(forbidDefinitions)
  const sell = (count: number, name: string) =>
    opened.importRecords({
      source: chunks(
        ndjson(Array.from({ length: count }, (_, index) => sale(`${name}-CODE-OF-A-SALE-${index}`))),
      ),
      now: () => new Date(),
      actor: 'admin-import',
    })
  return { sell, during }
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
  const costOf = async (count: number, name: string) => {
    const costs: number[] = []
    // Beside some of them entries of the audit log are joined.
    for (let index = 0; index < 5; index++) costs.push(await during(() => sell(count, `${name}-${index}`)))
    return Math.min(...costs)
  }
  expect(await costOf(1, 'ONE')).toBeLessThanOrEqual(4)
  expect(await during(() => sell(1, 'ONE-0'))).toBeLessThanOrEqual(10)
  expect(await costOf(100, 'MANY')).toBeLessThanOrEqual(5)
})

test('a refund costs six round trips', async () => {
  const { far, during } = await startShop()
  const { url } = await startInstance(far)
  const withPasswords = records.map((record) =>
    'username' in record && record.username === 'ada' ? { ...record, password } : record,
  )
  expect((await importRecords(url, withPasswords)).status).toBe(200)
  const ada = createBrowser(url)
  await ada.signIn('ada')
  const refund = (index: number) =>
    ada.ask(
      'setPurchaseState',
      { slug: 'ada-studio' },
      { purchase_code: codes.active, state: index % 2 ? 'refunded' : 'active' },
    )
  await refund(1)
  const costs: number[] = []
  for (let index = 0; index < 10; index++) costs.push(await during(() => refund(index)))
  // Beside some of them counts of requests are written.
  expect(Math.min(...costs)).toBe(6)
})
