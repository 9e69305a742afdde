import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createBrowser, password } from '../support/console-client.ts'
import { codes, records } from '../support/records.ts'
import { notReady, startMonitoring } from './attended.ts'
import { startShop } from './servers.ts'

// Each with the service in a process of its own, under requests whose answers are known: every answer is right, or says that it is not
// known; and everything is right again by itself.

const timeout = 120_000

const endAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shop' AND pid <> pg_backend_pid()`

test(
  'connections that the server ends',
  async () => {
    const shop = await startShop()
    const service = await startMonitoring(shop.shop)
    const admin = await shop.admin()
    for (let time = 0; time < 10; time++) {
      await admin.query(endAll)
      await sleep(50 * (time % 4))
    }
    await service.conclude()
  },
  timeout,
)

describe('a server that', () => {
  test(
    'is stopped, and crashes',
    async () => {
      const shop = await startShop()
      const service = await startMonitoring(shop.shop)
      for (const how of [undefined, 'crash'] as const) {
        await shop.stop(how)
        await service.traffic.until('unavailable')
        expect(await service.readiness()).toEqual(notReady)
        expect(await service.importRecords(records)).toMatchObject({ status: 503, code: 'unavailable' })
        await shop.start()
        await service.untilReady()
      }
      expect((await service.importRecords(records)).status).toBe(200)
      await service.conclude()
    },
    timeout,
  )

  test(
    'hangs',
    async () => {
      const shop = await startShop()
      const service = await startMonitoring(shop.shop)
      const thaw = shop.freeze()
      try {
        await service.traffic.until('unavailable')
        const began = performance.now()
        expect(await service.readiness()).toEqual(notReady)
        expect(performance.now() - began).toBeLessThan(8000)
        const { waited, ...refused } = await service.importRecords(records)
        expect(refused).toEqual({ status: 503, code: 'unavailable' })
        expect(waited).toBeLessThan(10_000)
      } finally {
        thaw()
      }
      await service.conclude()
    },
    timeout,
  )

  test(
    'takes no more connections',
    async () => {
      const shop = await startShop()
      const service = await startMonitoring(shop.shop)
      const admin = await shop.admin()
      await admin.query('ALTER ROLE shop CONNECTION LIMIT 0')
      await admin.query(endAll)
      await service.traffic.until('unavailable')
      expect(await service.readiness()).toEqual(notReady)
      await admin.query('ALTER ROLE shop CONNECTION LIMIT -1')
      await service.conclude()
    },
    timeout,
  )

  test(
    'is slow: a table is locked',
    async () => {
      const shop = await startShop()
      const service = await startMonitoring(shop.shop)
      const admin = await shop.admin()
      await admin.query('BEGIN; LOCK TABLE "ApiKey" IN ACCESS EXCLUSIVE MODE')
      const began = performance.now()
      await service.traffic.until('unavailable')
      expect(performance.now() - began).toBeLessThan(15_000)
      await admin.query('COMMIT')
      await service.conclude()
    },
    timeout,
  )
})

const withPasswords = records.map((record) =>
  'username' in record && record.username === 'ada' ? { ...record, password } : record,
)

test(
  'a pool whose connections are all taken: what is asked beside it goes on',
  async () => {
    const shop = await startShop()
    const service = await startMonitoring(`${shop.shop}?connection_limit=2`)
    await service.importRecords(withPasswords)
    const browser = createBrowser(service.url)
    await browser.signIn('ada')
    const admin = await shop.admin()
    // The lock of all writers.
    await admin.query('SELECT pg_advisory_lock(7253370282)')
    const change = { purchase_code: codes.active, state: 'active' } as const
    const writes = Array.from({ length: 4 }, () =>
      browser.call('setPurchaseState', { slug: 'ada-studio' }, change),
    )
    const before = service.traffic.count('right')
    const answers = await Promise.all(writes)
    for (const { status } of answers) expect(status).toBe(503)
    expect(service.traffic.count('unavailable')).toBeGreaterThan(0)
    expect(service.traffic.count('right')).toBeGreaterThan(before + 5)
    await admin.query('SELECT pg_advisory_unlock_all()')
    expect((await browser.call('setPurchaseState', { slug: 'ada-studio' }, change)).status).toBe(200)
    await service.conclude()
  },
  timeout,
)
