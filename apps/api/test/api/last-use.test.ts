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
  const from = async (key: string, hosts: readonly number[]) => {
    for (const host of hosts) {
      time += 2000
      const headers = { 'x-api-key': key, 'x-forwarded-for': `198.51.100.${host}` }
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
  await from(secretKey, hosts(30))
  const count = await countOf(secretKey)
  expect(count).toBeGreaterThanOrEqual(20)
  expect(count).toBeLessThanOrEqual(30)
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
