import { tmpdir } from 'node:os'
import { operations } from '@saleproof/schema'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { saleproof } from '../support/command.ts'
import { codes, portugueseKey, records, secretKey } from '../support/records.ts'
import { type Attended, startMonitoring } from './attended.ts'
import { caughtUp, environmentFor, type Shop, type Standby, startShop } from './servers.ts'

const timeout = 120_000

const recordOf = (wanted: Record<string, unknown>) => {
  const found = records.find((record) =>
    Object.entries(wanted).every(([name, value]) => (record as Record<string, unknown>)[name] === value),
  )
  return found as Record<string, unknown>
}

const item = recordOf({ type: 'item', id: 101 })

async function setup() {
  const shop = await startShop()
  const standby = await shop.standby()
  const [primary, copy] = [await shop.admin(), await standby.admin()]
  const service = await startMonitoring(shop.shop, { DATABASE_REPLICA_URLS: standby.shop })
  await caughtUp(primary, copy)
  return { shop, standby, primary, copy, service }
}

/** What doctor says of the copy. */
async function findingOf(shop: Shop, standby: Standby) {
  const env = { ...environmentFor(shop.shop), DATABASE_REPLICA_URLS: standby.shop }
  const { stdout } = await saleproof(['doctor', '--json'], { cwd: tmpdir(), env, elsewhere: true })
  const findings = JSON.parse(stdout) as { check: string; state: string; finding: string }[]
  const { state, finding } = findings.find(({ check }) => check === 'replicas')!
  return `${state} ${finding}`
}

const get = ({ url }: Attended, path: string, headers: Record<string, string> = {}) =>
  send(url, { path, headers: { 'x-api-key': secretKey, ...headers } })

const getItem = (service: Attended, headers?: Record<string, string>) =>
  get(service, `${operations.getItem.path}?item_id=101`, headers)

const paths = [
  `${operations.getItem.path}?item_id=101`,
  operations.listItems.path,
  operations.getAccount.path,
]

/** When the service last asked a copy for items. */
async function lastAsked(copy: pg.Client): Promise<number> {
  const { rows } = await copy.query(
    `SELECT extract(epoch FROM max(query_start))::float8 AS at FROM pg_stat_activity
     WHERE application_name = 'saleproof' AND query LIKE '%catalogue%'`,
  )
  return rows[0].at ?? 0
}

/** Waits until an item that is asked for now comes from the copy. */
async function untilAsked(service: Attended, copy: pg.Client) {
  const before = await lastAsked(copy)
  await expect
    .poll(
      async () => {
        expect((await getItem(service)).status).toBe(200)
        return lastAsked(copy)
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(before)
}

test(
  'a copy that is held back: nothing is answered that is no more so, and it is asked again when it has caught up',
  async () => {
    const { service, primary, copy } = await setup()
    await untilAsked(service, copy)
    await service.traffic.stop()
    const before = await Promise.all(paths.map((path) => get(service, path)))
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200])
    await copy.query('SELECT pg_wal_replay_pause()')
    const changes = [
      { ...recordOf({ type: 'account', username: 'ada' }), balance: '1' },
      { ...item, name: 'Another name' },
      { ...recordOf({ type: 'purchase', purchase_code: codes.video }), state: 'refunded' },
      { ...recordOf({ type: 'api_key', key: portugueseKey }), revoked_at: '2026-01-01T00:00:00Z' },
    ]
    expect((await service.importRecords(changes)).status).toBe(200)

    const refused = await get(service, operations.listItems.path, { 'x-api-key': portugueseKey })
    expect(refused.headers['x-error-code']).toBe('revoked_api_key')
    const validation = await send(service.url, {
      method: 'POST',
      path: operations.validatePurchase.path,
      headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ purchase_code: codes.video }),
    })
    expect(validation.headers['x-error-code']).toBe('purchase_not_active')

    const etags = before.map(({ headers }) => headers.etag!)
    const changed = await Promise.all(
      paths.map((path, index) => get(service, path, { 'if-none-match': etags[index]! })),
    )
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(changed[0]!.text).toContain('Another name')
    expect(changed[1]!.text).toContain('Another name')
    const again = () =>
      Promise.all(
        paths.map((path, index) => get(service, path, { 'if-none-match': changed[index]!.headers.etag! })),
      )
    expect((await again()).map(({ status }) => status)).toEqual([304, 304, 304])
    expect(await lastAsked(copy)).toBeGreaterThan(0)

    await copy.query('SELECT pg_wal_replay_resume()')
    await caughtUp(primary, copy)
    await untilAsked(service, copy)
    expect((await getItem(service)).text).toBe(changed[0]!.text)
    expect((await again()).map(({ status }) => status)).toEqual([304, 304, 304])
  },
  timeout,
)

test(
  'a copy that hangs, is gone and comes back: the primary answers meanwhile, and no request fails',
  async () => {
    const { shop, standby, service, copy } = await setup()
    await untilAsked(service, copy)
    const thaw = standby.freeze()
    try {
      await service.traffic.until('right')
    } finally {
      thaw()
    }
    expect(await findingOf(shop, standby)).toMatch(/^ok replicas that answer as copies/)
    await standby.stop('crash')
    await service.traffic.until('right')
    expect(await findingOf(shop, standby)).toMatch(
      /^warning the primary answers for replica 1: nothing listens/,
    )
    await standby.start()
    await untilAsked(service, await standby.admin())
    expect(service.traffic.count('unavailable')).toBe(0)
    await service.conclude()
  },
  timeout,
)
