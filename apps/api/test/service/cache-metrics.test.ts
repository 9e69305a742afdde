import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { startService } from '../support/harness.ts'
import { get, metricsToken as token, unknownKey, validate, valuesOf } from '../support/metrics-traffic.ts'
import { codes, records } from '../support/records.ts'

const { getAccount, listItems, getItem } = operations

async function started() {
  const service = await startService({
    records,
    env: { METRICS_TOKEN: token, ADMIN_TOKEN: token, SALEPROOF_FAST_PATH: 'on' },
  })
  onTestFinished(() => service.close())
  const headers = { authorization: `Bearer ${token}` }
  return { service, metrics: async () => (await service.request({ path: '/metrics', headers })).text }
}

test('count what the caches were asked and had', async () => {
  const { service, metrics } = await started()
  const cold = await metrics()
  for (const name of ['requests_total', 'entries', 'bytes'])
    expect(valuesOf(cold, `saleproof_cache_${name}`)).toEqual({})
  const item = get(`${getItem.path}?item_id=101&shape=extended`)
  for (let count = 0; count < 3; count++) await service.request(item)
  for (let count = 0; count < 2; count++) await service.request(get(listItems.path))
  for (let count = 0; count < 4; count++) await service.request(validate(codes.active))
  await service.request(get(getAccount.path, unknownKey))
  const text = await metrics()
  const { text: list } = await service.request(get(listItems.path))
  const bytesOfList = Buffer.byteLength(list) * 1.5
  // PostgreSQL is asked for everything but what is in a list whose catalogue it says is the same.
  if (onPostgres) {
    expect(valuesOf(text, 'saleproof_cache_requests_total')).toEqual({ 'lists miss': 1, 'lists hit': 1 })
    expect(valuesOf(text, 'saleproof_cache_entries')).toEqual({ lists: 1 })
    return expect(valuesOf(text, 'saleproof_cache_bytes')).toEqual({ lists: bytesOfList })
  }
  expect(valuesOf(text, 'saleproof_cache_requests_total')).toEqual({
    // The unknown key is looked up as well.
    'keys miss': 2,
    'keys hit': 8,
    'unknown-keys miss': 2,
    // One item in the shape that was asked for, and in that of a purchase; the database puts lists together.
    'items miss': 1 + 1,
    'items hit': 2 + 1,
    'lists miss': 1,
    'lists hit': 1,
    // An answer is kept when its code is asked for again.
    'purchases miss': 2,
    'purchases hit': 2,
    'unknown-codes miss': 2,
  })
  expect(valuesOf(text, 'saleproof_cache_entries')).toEqual({
    keys: 1,
    'unknown-keys': 1,
    items: 2,
    lists: 1,
    purchases: 1,
  })
  const { items, lists, purchases, ...others } = valuesOf(text, 'saleproof_cache_bytes')
  expect(others).toEqual({})
  expect(lists).toBe(bytesOfList)
  expect(items).toBeGreaterThan(2 * 300)
  expect(purchases).toBeGreaterThan(300)
})

test('a key and a code that are unknown are not looked up again until something is sold', async () => {
  const { service, metrics } = await started()
  const code = 'a-code-that-is-sold-later'
  const refused = [get(getAccount.path, unknownKey), validate(code)]
  const statusesOf = async () => {
    const statuses: number[] = []
    for (const request of refused) statuses.push((await service.request(request)).status)
    return statuses
  }
  const reads = async () => valuesOf(await metrics(), 'saleproof_database_queries_total').fast_path
  expect(await statusesOf()).toEqual([401, 404])
  const before = await reads()
  expect(await statusesOf()).toEqual([401, 404])
  if (!onPostgres) expect(await reads()).toBe(before)
  const sold = records.find((record) => 'purchase_code' in record)
  const imported = await service.request({
    method: 'POST',
    path: '/admin/import',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...sold, purchase_code: code }),
  })
  expect(imported.status).toBe(200)
  expect(await statusesOf()).toEqual([401, 200])
})
