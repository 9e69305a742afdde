import { expect, onTestFinished, test } from 'vitest'
import { createWire, headerOf } from '../support/client.ts'
import { startMonitoring } from './attended.ts'
import { plainRequests } from './plain-requests.ts'
import { shopUrl, startShop } from './servers.ts'
import { startProxy } from './tcp-proxy.ts'

const timeout = 120_000

/** For so long requests are sent one after the other. */
const hangMs = 8000

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
    expect.poll(async () => (await wire.ask(plainRequests.listItems)).status, { timeout: 10_000 }).toBe(200)
  return { wire, untilServes, hangs: { 'is frozen': shop.freeze, 'is behind a black hole': proxy.swallow } }
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
    expect(Math.max(...waits)).toBeLessThan(2000)
    expect(quantile(waits.slice(2), 0.99)).toBeLessThan(300)
    await untilServes()
  },
  timeout,
)
