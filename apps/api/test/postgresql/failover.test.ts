import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { records, secretKey } from '../support/records.ts'
import { notReady, startMonitoring } from './attended.ts'
import { caughtUp, shopUrl, startShop } from './servers.ts'
import { startProxy } from './tcp-proxy.ts'

const timeout = 120_000

test(
  'a standby of the address takes over when the primary has crashed',
  async () => {
    const shop = await startShop()
    const standby = await shop.standby()
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${shop.port}`
    const service = await startMonitoring(shop.shop.replace(`127.0.0.1:${shop.port}`, hosts))
    const admin = await standby.admin()
    await caughtUp(await shop.admin(), admin)
    await shop.stop('crash')
    // A standby is not asked while it is one: it may lack what was committed last.
    await service.traffic.until('unavailable')
    expect(await service.readiness()).toEqual(notReady)
    await admin.query('SELECT pg_promote()')
    await service.untilReady()
    expect((await service.importRecords(records)).status).toBe(200)
    await service.conclude()
  },
  timeout,
)

const purchase = records.find((record) => (record as { type: string }).type === 'purchase')!
const sales = Array.from({ length: 20_000 }, (_, index) => ({ ...purchase, purchase_code: `SALE-${index}` }))

test(
  'an import whose statement takes long is waited for where the address names a standby first',
  async () => {
    const shop = await startShop()
    const standby = await shop.standby()
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${shop.port}`
    const service = await startMonitoring(shop.shop.replace(`127.0.0.1:${shop.port}`, hosts))
    await service.traffic.stop()
    const admin = await shop.admin()
    // The lock of all writers.
    await admin.query('SELECT pg_advisory_lock(7253370282)')
    const importing = service.importRecords(sales)
    await sleep(4000)
    await admin.query('SELECT pg_advisory_unlock_all()')
    expect((await importing).status).toBe(200)
  },
  timeout,
)

const revocation = {
  type: 'api_key',
  workspace: 'ada-studio',
  name: 'production',
  key: secretKey,
  revoked_at: '2026-01-01T00:00:00Z',
}

test(
  'an address that leads to a standby now: nothing is answered from what it does not know yet',
  async () => {
    const shop = await startShop()
    const standby = await shop.standby()
    const proxy = await startProxy(shop.port)
    const service = await startMonitoring(shopUrl(proxy.port))
    await service.traffic.stop()
    const admin = await standby.admin()
    await caughtUp(await shop.admin(), admin)
    await admin.query('SELECT pg_wal_replay_pause()')
    expect((await service.importRecords([revocation])).status).toBe(200)
    const account = async (headers: Record<string, string> = {}) => {
      const answer = await send(service.url, {
        path: '/api/account/details',
        headers: { 'x-api-key': secretKey, ...headers },
      })
      return answer.headers['x-error-code']
    }
    expect(await account()).toBe('revoked_api_key')
    proxy.moveTo(standby.port)
    const until = performance.now() + 1500
    while (performance.now() < until) expect(await account()).toBe('unavailable')
    expect(await service.readiness()).toEqual(notReady)
    expect((await service.importRecords(records)).code).toBe('unavailable')
    await admin.query('SELECT pg_wal_replay_resume()')
    await caughtUp(await shop.admin(), admin)
    await shop.stop('crash')
    await admin.query('SELECT pg_promote()')
    await expect.poll(() => account(), { timeout: 20_000 }).toBe('revoked_api_key')
    expect((await service.importRecords(records)).status).toBe(200)
  },
  timeout,
)
