import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { adminToken, eventually, importRecords } from '../faults/serving.ts'
import { send } from '../support/client.ts'
import { ndjson } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'
import { startInstance } from './instance.ts'
import { type Shop, shopUrl, startShop } from './servers.ts'
import { startProxy } from './tcp-proxy.ts'

// An instance that is gone without having closed its connections: the server goes on to hold them open.

const timeout = 120_000

/** How long an instance that vanished may keep the others from writing. */
const longestLockMs = 15_000

const purchase = records.find((record) => (record as { type: string }).type === 'purchase')!

const sale = (code: string) => [{ ...purchase, purchase_code: code }]
const manySales = (prefix: string) =>
  Array.from({ length: 20_000 }, (_, index) => ({ ...purchase, purchase_code: `${prefix}-${index}` }))

/** Whether a transaction that writes has begun. */
async function isWriting(admin: Client) {
  const { rows } = await admin.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 2958402986 AND mode = 'ExclusiveLock' AND granted`,
  )
  return rows.length > 0
}

/** How long the other instances cannot store a sale. */
async function untilStored(url: string, code: string) {
  const began = performance.now()
  await eventually(async () => (await importRecords(url, sale(code))).status === 200, 2 * longestLockMs)
  return performance.now() - began
}

async function twoInstances(shop: Shop, url: string) {
  const [vanishing, other] = [await startInstance(url), await startInstance(shop.shop)]
  expect((await importRecords(other.url, records)).status).toBe(200)
  return { vanishing, other, admin: await shop.admin() }
}

test.each([0, 150])(
  'frozen %i ms after an import has begun to write',
  async (delay) => {
    const shop = await startShop()
    const { vanishing, other, admin } = await twoInstances(shop, shop.shop)
    const importing = importRecords(vanishing.url, manySales('frozen')).catch(() => undefined)
    await eventually(() => isWriting(admin))
    await sleep(delay)
    vanishing.signal('SIGSTOP')
    expect(await untilStored(other.url, 'another')).toBeLessThan(longestLockMs)
    vanishing.signal('SIGCONT')
    expect([200, 503]).toContain((await importing)?.status)
    expect((await importRecords(vanishing.url, manySales('frozen'))).status).toBe(200)
  },
  timeout,
)

test(
  'cut off while an import writes: the others write again, and SIGTERM ends it in time',
  async () => {
    const shop = await startShop()
    const proxy = await startProxy(shop.port)
    const { vanishing, other, admin } = await twoInstances(shop, shopUrl(proxy.port))
    const importing = importRecords(vanishing.url, manySales('cut-off')).catch(() => undefined)
    await eventually(() => isWriting(admin))
    // It has a connection for other tasks, and counts to write before it ends.
    expect((await send(vanishing.url, { path: '/readyz' })).status).toBe(200)
    const headers = { authorization: `Bearer ${secretKey}` }
    expect((await send(vanishing.url, { path: '/api/account/details', headers })).status).toBe(200)
    proxy.swallow()
    vanishing.signal('SIGTERM')
    const began = performance.now()
    const ended = vanishing.done.then(({ code }) => ({ code, took: performance.now() - began }))
    expect(await untilStored(other.url, 'another')).toBeLessThan(longestLockMs)
    const { code, took } = await ended
    expect(code).toBe(0)
    expect(took).toBeLessThan(20_000)
    await importing
  },
  timeout,
)

const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`).length

test(
  'an import of a caller who left ends, also where the server does not respond',
  async () => {
    const shop = await startShop()
    const proxy = await startProxy(shop.port)
    const { vanishing, admin } = await twoInstances(shop, shopUrl(proxy.port))
    // The next import takes the thread of this one.
    expect((await importRecords(vanishing.url, manySales('stays'))).status).toBe(200)
    const before = threadsOf(vanishing.pid)
    const body = ndjson(manySales('left'))
    const caller = connect(Number(new URL(vanishing.url).port), '127.0.0.1')
    caller.write(
      `POST /admin/import HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${adminToken}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await eventually(() => isWriting(admin))
    const heal = proxy.swallow()
    caller.resetAndDestroy()
    await sleep(5000)
    heal()
    // One that had not ended by then would still have its thread, and this one another.
    await untilStored(vanishing.url, 'afterwards')
    expect((await importRecords(vanishing.url, manySales('afterwards'))).status).toBe(200)
    expect(threadsOf(vanishing.pid)).toBeLessThanOrEqual(before)
  },
  timeout,
)
