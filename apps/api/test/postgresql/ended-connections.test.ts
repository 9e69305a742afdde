import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { importRecords } from '../faults/serving.ts'
import { seededRandom } from '../support/random.ts'
import { records } from '../support/records.ts'
import { startInstance } from './instance.ts'
import { startShop } from './servers.ts'

const purchase = records.find((record) => (record as { type: string }).type === 'purchase')!
const atOnce = 4
const endings = 200

const sales = (prefix: string) =>
  Array.from({ length: 1000 }, (_, index) => ({ ...purchase, purchase_code: `${prefix}-${index}` }))

test('connections that end at any time during an import: it is done, or unavailable', {
  retry: 0,
  timeout: 300_000,
}, async () => {
  const random = seededRandom()
  const shop = await startShop()
  const instance = await startInstance(shop.shop)
  expect((await importRecords(instance.url, records)).status).toBe(200)
  const admin = await shop.admin()
  const seen = new Map<number, number>()
  for (let round = 0; round < endings / atOnce; round++) {
    let running = true
    const imports = Promise.all(
      Array.from({ length: atOnce }, (_, index) => importRecords(instance.url, sales(`${index}`))),
    ).finally(() => {
      running = false
    })
    while (running) {
      await sleep(random.below(150))
      const { rows } = await admin.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = 'shop' AND usename = 'shop'`,
      )
      for (const { pid } of random.some(rows)) await admin.query('SELECT pg_terminate_backend($1)', [pid])
    }
    for (const { status } of await imports) seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  expect([...seen.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect((await importRecords(instance.url, sales('0'))).status).toBe(200)
  instance.signal('SIGTERM')
  const { stdout } = await instance.done
  expect(stdout).not.toContain('unexpected error')
})
