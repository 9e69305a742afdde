import { expect, test } from 'vitest'
import { createWire, receive } from '../support/client.ts'
import { secretKey } from '../support/records.ts'
import { startMonitoring } from './attended.ts'
import { plainRequests } from './plain-requests.ts'
import { startShop } from './servers.ts'

const timeout = 120_000

const all = <Value>(value: Value) =>
  Object.fromEntries(Object.keys(plainRequests).map((name) => [name, value]))

async function start() {
  const shop = await startShop()
  const service = await startMonitoring(shop.shop)
  await service.traffic.stop()
  const wire = createWire(service.url)
  /** The status of the response to each operation. */
  async function statuses() {
    const found = Object.entries(plainRequests).map(async ([name, request]) => {
      const { status } = await wire.ask(request)
      return [name, status]
    })
    return Object.fromEntries(await Promise.all(found))
  }
  async function readiness() {
    const began = performance.now()
    const { status, bytes } = await receive(service.url, { path: '/readyz' })
    expect(performance.now() - began).toBeLessThan(5000)
    return { status, ...JSON.parse(bytes.toString()) }
  }
  return { ...service, statuses, readiness, admin: await shop.admin() }
}

test(
  'the row of the deployment is locked: what responds is ready',
  async () => {
    const { statuses, readiness, admin } = await start()
    await admin.query('BEGIN; LOCK TABLE "Deployment" IN ACCESS EXCLUSIVE MODE')
    expect(await statuses()).toEqual(all(200))
    expect(await readiness()).toMatchObject({
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', secret: 'ok' },
    })
  },
  timeout,
)

test(
  'keys are locked: no operation responds',
  async () => {
    const { statuses, readiness, admin } = await start()
    await admin.query('BEGIN; LOCK TABLE "ApiKey" IN ACCESS EXCLUSIVE MODE')
    expect(await statuses()).toEqual(all(503))
    expect(await readiness()).toMatchObject({
      status: 'not ready',
      checks: { database: 'locked', migrations: 'ok', secret: 'ok' },
      operations: all('locked'),
    })
  },
  timeout,
)

test(
  'items are locked: the operations that need them are named',
  async () => {
    const { statuses, readiness, admin } = await start()
    await admin.query('BEGIN; LOCK TABLE "Item" IN ACCESS EXCLUSIVE MODE')
    expect(await statuses()).toEqual({ ...all(503), getAccount: 200 })
    expect(await readiness()).toMatchObject({
      status: 'not ready',
      checks: { database: 'locked' },
      operations: { ...all('locked'), getAccount: 'ok' },
    })
  },
  timeout,
)

test(
  'the fast path gets no connection while the routes have one',
  async () => {
    const { url, statuses, readiness, admin } = await start()
    // Left to the routes.
    const type = { 'content-type': 'application/vnd.shop+json', 'x-api-key': secretKey }
    expect((await receive(url, { ...plainRequests.validatePurchase, headers: type })).status).toBe(200)
    await admin.query('ALTER ROLE shop CONNECTION LIMIT 0')
    await admin.query(`SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
      WHERE usename = 'shop' AND query NOT LIKE '%"public".%'`)
    expect(await statuses()).toEqual(all(503))
    expect(await readiness()).toMatchObject({
      status: 'not ready',
      checks: { database: 'failed' },
      operations: all('failed'),
    })
    await admin.query('ALTER ROLE shop CONNECTION LIMIT -1')
    await expect.poll(readiness).toMatchObject({ status: 'ready' })
  },
  timeout,
)
