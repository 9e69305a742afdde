import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, expiredKey, publishableKey, records, revokedKey, secretKey } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

let service: TestService
let ada: Browser
let time = Date.parse('2026-03-01T12:00:00Z')
beforeAll(async () => {
  service = await startService({
    records: withPasswords,
    clock: () => new Date(time),
    env: { TRUST_PROXY: 'loopback' },
  })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service.close())

const { listItems, validatePurchase } = operations

async function lastUseOf(name: string) {
  const { keys } = await ada.ask('listKeys', { slug: 'ada-studio' })
  const { last_used_at: at, last_used_by: by } = keys.find((key) => key.name === name)!
  return { at, by }
}

test('the last use of a key is shown as soon as its owner looks', async () => {
  expect(await lastUseOf('production')).toEqual({ at: null, by: null })
  await service.request({
    path: listItems.path,
    headers: { 'x-api-key': secretKey, 'user-agent': 'WordPress/6.8; https://shop.example' },
  })
  expect(await lastUseOf('production')).toEqual({
    at: '2026-03-01T12:00:00Z',
    by: { operation: 'listItems', client: 'WordPress/6.8' },
  })
  time += 60_000
  const validate = (headers: Record<string, string>) =>
    service.request({
      method: 'POST',
      path: validatePurchase.path,
      headers: { 'x-api-key': secretKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ purchase_code: codes.active }),
    })
  await validate({ 'user-agent': 'ada@example.com' })
  expect(await lastUseOf('production')).toEqual({
    at: '2026-03-01T12:01:00Z',
    by: { operation: 'validatePurchase', client: '' },
  })
})

test('a request that a key is refused for is no use of it', async () => {
  for (const key of [expiredKey, revokedKey])
    expect((await service.request({ path: listItems.path, headers: { 'x-api-key': key } })).status).toBe(401)
  for (const name of ['old', 'leaked']) expect(await lastUseOf(name)).toEqual({ at: null, by: null })
})

test('a secret key that is used from many addresses in a day is shown as exposed; a publishable one never is', async () => {
  const from = async (key: string, hosts: readonly (number | string)[]) => {
    for (const host of hosts) {
      time += 2000
      const headers = {
        'x-api-key': key,
        'x-forwarded-for': typeof host === 'number' ? `198.51.100.${host}` : host,
      }
      const path = `${validatePurchase.path}`
      const body = JSON.stringify({ purchase_code: codes.active })
      const { status } = await service.request({
        method: 'POST',
        path,
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      expect(status).toBe(200)
    }
  }
  const exposed = async () => (await ada.ask('getOverview', { slug: 'ada-studio' }, {})).exposed_keys
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const countOf = async (key: string) => {
    const { keys } = await ada.ask('listKeys', { slug: 'ada-studio' })
    return keys.find(({ last_four: lastFour }) => lastFour === key.slice(-4))?.address_count
  }

  // Later than what the tests above sent from one more.
  time += 24 * 3_600_000
  await ada.signIn('ada')
  await from(secretKey, [...hosts(5), ...hosts(5)])
  await from(publishableKey, hosts(40))
  expect(await countOf(secretKey)).toBeLessThanOrEqual(5)
  expect(await exposed()).toEqual([])
  // All of one network of IPv6.
  for (const host of hosts(20)) await from(secretKey, [`2001:db8:0:1::${host}`])
  expect(await countOf(secretKey)).toBeLessThanOrEqual(6)
  await from(secretKey, hosts(30))
  const count = await countOf(secretKey)
  expect(count).toBeGreaterThanOrEqual(20)
  expect(count).toBeLessThanOrEqual(31)
  expect(await countOf(publishableKey)).toBe(0)
  const { keys } = await ada.ask('listKeys', { slug: 'ada-studio' })
  const production = keys.find(({ name }) => name === 'production')
  expect(await exposed()).toEqual([
    { id: production?.id, name: 'production', last_four: secretKey.slice(-4), address_count: count },
  ])
  time += 25 * 3_600_000
  await ada.signIn('ada')
  expect([await countOf(secretKey), await exposed()]).toEqual([0, []])
})

const hourMs = 3_600_000

test('what several processes write at the same time is counted once', async () => {
  const keyIds = ['one', 'two', 'three'].map((name) => `key-${name}-of-no-workspace`)
  const by = { operation: 'listItems', client: '' } as const
  const write = (process: number) => {
    const order = process % 2 ? keyIds : keyIds.toReversed()
    const keyUses = order.map((keyId) => ({ keyId, at: 7_200_000 + process, ...by }))
    const slots = Array.from({ length: 20 }, (_, index) => (index * 7 + process) % 40)
    const addresses = order.flatMap((keyId) => slots.map((slot) => ({ keyId, slot, hour: 2 })))
    return service.opened.usage.record({ keyUses, addresses }, 7_200_000)
  }
  await Promise.all(Array.from({ length: 12 }, (_, process) => write(process)))
  const counts = await service.opened.usage.addressCounts([...keyIds, 'unknown'], 2 * hourMs)
  expect([...counts].sort()).toEqual(keyIds.map((keyId) => [keyId, 40]).sort())
  expect((await service.opened.usage.addressCounts(keyIds, 26 * hourMs)).size).toBe(0)
})
