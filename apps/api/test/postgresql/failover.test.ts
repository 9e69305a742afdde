import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { records, secretKey } from '../support/records.ts'
import { notReady, startMonitoring } from './attended.ts'
import { caughtUp, shopUrl, startShop } from './servers.ts'
import { startProxy } from './tcp-proxy.ts'

const timeout = 120_000

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
    await expect.poll(() => account()).toBe('revoked_api_key')
    expect((await service.importRecords(records)).status).toBe(200)
  },
  timeout,
)
