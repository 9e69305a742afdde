import { expect, onTestFinished, test } from 'vitest'
import { createWire, headerOf } from '../support/client.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'
import { notReady, startMonitoring } from './attended.ts'
import { startPgbouncer } from './pgbouncer-server.ts'
import { caughtUp, environmentFor, startShop } from './servers.ts'

const timeout = 120_000
const change = { purchase_code: codes.active, state: 'refunded' } as const

const withPasswords = records.map((record) =>
  'username' in record && record.username === 'ada' ? { ...record, password } : record,
)

function validation(code: string, type = 'json') {
  const body = JSON.stringify({ purchase_code: code })
  const content = { 'content-type': `application/${type}`, 'content-length': `${body.length}` }
  return {
    method: 'POST',
    path: '/api/purchases/validation',
    headers: { 'x-api-key': secretKey, ...content },
    body,
  }
}

test(
  'instances migrate, import and serve through it, and what is under way when it is cut off is asked again',
  async () => {
    const shop = await startShop({ migrated: false })
    const { env } = await startPgbouncer(shop.port)
    const home = await temporaryFolder()
    onTestFinished(home.remove)
    const command = (...args: string[]) =>
      spawnSaleproof(args, { cwd: home.folder, env: { ...environmentFor(shop.shop), ...env } })
    const migrated = await Promise.all([command('migrate'), command('migrate'), command('migrate')])
    for (const { code, stderr } of migrated) expect([code, stderr]).toEqual([0, expect.any(String)])
    const service = await startMonitoring(shop.shop, env)
    await service.importRecords(withPasswords)
    const browser = createBrowser(service.url)
    await browser.signIn('ada')
    const admin = await shop.admin()
    for (let time = 0; time < 3; time++) {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shop' AND pid <> pg_backend_pid()`,
      )
      await service.traffic.until('right')
    }
    await service.conclude()
  },
  timeout,
)

test(
  'a refund shows in the next request; and when it leads to a standby, nothing is answered from that',
  async () => {
    const shop = await startShop()
    const standby = await shop.standby()
    const bouncer = await startPgbouncer(shop.port)
    const service = await startMonitoring(shop.shop, bouncer.env)
    await service.traffic.stop()
    await service.importRecords(withPasswords)
    const [admin, copy] = [await shop.admin(), await standby.admin()]
    await caughtUp(admin, copy)
    await copy.query('SELECT pg_wal_replay_pause()')
    const browser = createBrowser(service.url)
    await browser.signIn('ada')
    await browser.ask('setPurchaseState', { slug: 'ada-studio' }, change)
    const wire = createWire(service.url)
    onTestFinished(wire.close)
    // The fast path leaves the second one to the routes.
    const forms = [validation(codes.active), validation(codes.active, 'vnd.shop+json')]
    const found = async () => {
      const answers = await Promise.all(forms.map(wire.ask))
      return answers.map((answer) => headerOf(answer, 'x-error-code'))
    }
    expect(await found()).toEqual(['purchase_not_active', 'purchase_not_active'])
    bouncer.moveTo(standby.port)
    const seen = new Set<string | undefined>()
    await expect
      .poll(
        async () => {
          const codesFound = await found()
          for (const code of codesFound) seen.add(code)
          return codesFound
        },
        { timeout: 20_000 },
      )
      .toEqual(['unavailable', 'unavailable'])
    expect([...seen].sort()).toEqual(expect.arrayContaining(['unavailable']))
    expect(seen).not.toContain(undefined)
    expect(seen).not.toContain('invalid_api_key')
    expect(await service.readiness()).toEqual(notReady)
    await copy.query('SELECT pg_wal_replay_resume()')
    await caughtUp(admin, copy)
    await shop.stop('crash')
    await copy.query('SELECT pg_promote()')
    await expect.poll(found).toEqual(['purchase_not_active', 'purchase_not_active'])
    expect((await service.importRecords(records)).status).toBe(200)
  },
  timeout,
)

test(
  'killed under traffic: no answer is wrong, and all are right again once it is back',
  async () => {
    const shop = await startShop()
    const bouncer = await startPgbouncer(shop.port)
    const service = await startMonitoring(shop.shop, bouncer.env)
    for (let time = 0; time < 3; time++) {
      await bouncer.kill()
      await service.traffic.until('unavailable')
      expect(await service.readiness()).toMatchObject(notReady)
      await bouncer.start()
      await service.untilReady()
    }
    await service.conclude()
  },
  timeout,
)
