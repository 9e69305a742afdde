import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser, errorOf, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, otherKey, records, secretKey } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

let service: TestService
beforeAll(async () => {
  service = await startService({ records: withPasswords, env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })
})
afterAll(() => service.close())

async function signedIn(login: string) {
  const browser = createBrowser(service.url)
  await browser.signIn(login)
  return browser
}

const validate = (key: string, code: string) =>
  service.request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code }),
  })

test('an owner sees what just happened, with names, and only that of the workspace', async () => {
  const ada = await signedIn('ada')
  for (const code of [codes.active, codes.active, codes.video, 'unknown']) await validate(secretKey, code)
  await validate(otherKey, codes.others)
  const look = () =>
    ada.ask('getOverview', { slug: 'ada-studio' }, { period: '24h', timezone: 'America/Sao_Paulo' })
  await expect.poll(async () => (await look()).total).toMatchObject({ valid: 3, not_found: 1 })
  const overview = await look()
  expect(overview.buckets).toHaveLength(24)
  expect(overview.items).toMatchObject([
    { item_id: 101, name: 'Icon pack', total: 2 },
    { item_id: 102, name: 'Intro clip', total: 1 },
  ])
  expect(overview.keys).toMatchObject([{ name: expect.any(String), total: 4, valid: 3 }])
  expect(overview.failures).toEqual([{ code: 'purchase_not_found', count: 1 }])
  expect(Date.now() - Date.parse(overview.flushed_at!)).toBeLessThan(60_000)
})

test('another owner gets not_found', async () => {
  const bob = await signedIn('bob')
  expect(errorOf(await bob.call('getOverview', { slug: 'ada-studio' }))).toEqual([404, { code: 'not_found' }])
})

test.each([{ timezone: 'Nowhere/Else' }, { period: '1y' }])('%j is refused', async (request) => {
  const ada = await signedIn('ada')
  const answer = await ada.call('getOverview', { slug: 'ada-studio' }, request as never)
  expect(answer.status).toBe(422)
})
