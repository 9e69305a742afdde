import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createWire, headerOf } from '../support/client.ts'
import { records } from '../support/records.ts'
import { startMonitoring } from './attended.ts'
import { plainRequests } from './plain-requests.ts'
import { shopUrl, startShop } from './servers.ts'
import { startProxy } from './tcp-proxy.ts'

const timeout = 120_000

/** For so long requests are sent one after the other. */
const hangMs = 5000

const names = Object.keys(plainRequests) as (keyof typeof plainRequests)[]

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]

async function start() {
  const shop = await startShop()
  const proxy = await startProxy(shop.port)
  const service = await startMonitoring(shopUrl(proxy.port))
  await service.traffic.stop()
  const wire = createWire(service.url)
  onTestFinished(wire.close)
  const untilServes = () =>
    expect.poll(async () => (await wire.ask(plainRequests.listItems)).status).toBe(200)
  return {
    ...service,
    admin: await shop.admin(),
    wire,
    untilServes,
    hangs: { 'is frozen': shop.freeze, 'is behind a black hole': proxy.swallow },
  }
}

test.each([
  { kind: 'is frozen', first: 'listItems' },
  { kind: 'is behind a black hole', first: 'validatePurchase' },
] as const)(
  'a server that $kind is waited for twice at most, by $first first',
  async ({ kind, first }) => {
    const { wire, hangs, untilServes } = await start()
    const end = hangs[kind]()
    const waits: number[] = []
    const began = performance.now()
    try {
      for (let turn = names.indexOf(first); performance.now() - began < hangMs; turn++) {
        const sent = performance.now()
        const response = await wire.ask(plainRequests[names[turn % names.length]!])
        waits.push(performance.now() - sent)
        expect(headerOf(response, 'x-error-code')).toBe('unavailable')
      }
    } finally {
      end()
    }
    expect(Math.max(...waits)).toBeLessThan(4000)
    expect(quantile(waits.slice(2), 0.99)).toBeLessThan(300)
    await untilServes()
  },
  timeout,
)

test(
  'many requests at once do not wait behind each other for a lock',
  async () => {
    const { url, admin, untilServes } = await start()
    const wires = Array.from({ length: 400 }, () => createWire(url))
    onTestFinished(() => {
      for (const { close } of wires) close()
    })
    const longestWait = async (code: string) => {
      const waits = wires.map(async ({ ask }) => {
        const sent = performance.now()
        expect(headerOf(await ask(plainRequests.validatePurchase), 'x-error-code') ?? 'none').toBe(code)
        return performance.now() - sent
      })
      return Math.max(...(await Promise.all(waits)))
    }
    // What this machine takes for as many without a lock.
    const free = await longestWait('none')
    await admin.query('BEGIN; LOCK TABLE "ApiKey" IN ACCESS EXCLUSIVE MODE')
    expect(await longestWait('unavailable')).toBeLessThan(4000 + free)
    await admin.query('ROLLBACK')
    await untilServes()
  },
  timeout,
)

const purchase = records.find((record) => (record as { type: string }).type === 'purchase')!
const sales = Array.from({ length: 20_000 }, (_, index) => ({ ...purchase, purchase_code: `SALE-${index}` }))

test.each([
  { kind: 'is frozen', delays: [0, 900] },
  { kind: 'is behind a black hole', delays: [300] },
] as const)(
  'an import whose server $kind ends within 10 s',
  async ({ kind, delays }) => {
    const { importRecords, hangs } = await start()
    const imports = [{ sent: records, delayMs: 0 }, ...delays.map((delayMs) => ({ sent: sales, delayMs }))]
    for (const { sent, delayMs } of imports) {
      const importing = importRecords(sent)
      await sleep(delayMs)
      const end = hangs[kind]()
      const began = performance.now()
      try {
        expect([200, 503]).toContain((await importing).status)
        expect(performance.now() - began).toBeLessThan(10_000)
      } finally {
        end()
      }
      await expect.poll(async () => (await importRecords(records)).status).toBe(200)
    }
  },
  timeout,
)

test(
  'an import whose statement takes long is waited for',
  async () => {
    const { importRecords, admin } = await start()
    // The lock of all writers, for which an import waits up to 5 s.
    await admin.query('SELECT pg_advisory_lock(7253370282)')
    const importing = importRecords(sales)
    await sleep(4000)
    await admin.query('SELECT pg_advisory_unlock_all()')
    expect((await importing).status).toBe(200)
  },
  timeout,
)

test(
  'sales that wait for their turn, and then for a lock, end within 10 s',
  async () => {
    const { importRecords, admin } = await start()
    await admin.query('SELECT pg_advisory_lock(7253370282)')
    const importing: ReturnType<typeof importRecords>[] = []
    for (let count = 0; count < 60; count++) {
      importing.push(importRecords([sales[count]!]))
      await sleep(100)
    }
    await sleep(6000)
    await admin.query('SELECT pg_advisory_unlock_all()')
    const answers = await Promise.all(importing)
    expect(new Set(answers.map(({ status }) => status))).toContain(503)
    expect(Math.max(...answers.map(({ waited }) => waited))).toBeLessThan(10_000)
  },
  timeout,
)
