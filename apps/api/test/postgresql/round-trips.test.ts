import { expect, onTestFinished, test } from 'vitest'
import { importRecords } from '../faults/serving.ts'
import { createWire, type Sent } from '../support/client.ts'
import { codes, records, secretKey } from '../support/records.ts'
import { startSlowNetwork } from '../support/slow-network.ts'
import { startInstance } from './instance.ts'
import { plainRequests } from './plain-requests.ts'
import { shopUrl, startShop } from './servers.ts'

const timeout = 120_000

const { validatePurchase, getAccount, getItem } = plainRequests
const validation = (purchase_code: string, key = secretKey): Sent => ({
  ...validatePurchase,
  headers: { ...validatePurchase.headers, 'x-api-key': key },
  body: JSON.stringify({ purchase_code }),
})

/** Requests with keys, codes and items, good and bad, and for each statement. */
const requests: readonly Sent[] = [
  validation(codes.active),
  validation(codes.video),
  validation(codes.refunded),
  validation('ZZZZ-no-such-code-there'),
  validation(codes.active, 'sp_test_a_key_that_nobody_has'),
  getAccount,
  getItem,
]

/** With this the connections of the fast path begin, and no others. */
const fastPath = 'enable_seqscan=off'

test.each([1, 5, 20])(
  'a request costs one round trip over %i ms, prepared or not',
  async (delayMs) => {
    const shop = await startShop()
    const network = await startSlowNetwork(shop.port, delayMs)
    const { url } = await startInstance(shopUrl(network.port))
    expect((await importRecords(url, records)).status).toBe(200)
    const wire = createWire(url)
    onTestFinished(wire.close)
    /** The round trips of a request: on connections of the fast path, and on any, where counts are written now and then. */
    async function costOf(request: Sent) {
      const before = network.connections().map(({ roundTrips }) => roundTrips)
      const { status } = await wire.ask(request)
      expect(status).not.toBe(503)
      const costs = network.connections().map(({ roundTrips, sent }, index) => ({
        cost: roundTrips - (before[index] ?? 0),
        isFastPath: sent.includes(fastPath),
      }))
      const sum = (of: typeof costs) => of.reduce((total, { cost }) => total + cost, 0)
      return { fastPath: sum(costs.filter(({ isFastPath }) => isFastPath)), any: sum(costs) }
    }
    const costs: Awaited<ReturnType<typeof costOf>>[] = []
    for (let round = 0; round < 6; round++) {
      for (const request of requests) costs.push(await costOf(request))
    }
    expect(costs.map((cost) => cost.fastPath)).toEqual(costs.map(() => 1))
    expect(costs.filter(({ any }) => any === 1).length).toBeGreaterThan(costs.length / 2)
  },
  timeout,
)
