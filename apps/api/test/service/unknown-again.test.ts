import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { startService } from '../support/harness.ts'
import { get, metricsToken as token, unknownKey, validate, valuesOf } from '../support/metrics-traffic.ts'
import { records } from '../support/records.ts'

const { getAccount } = operations

async function started() {
  const service = await startService({
    records,
    env: { METRICS_TOKEN: token, ADMIN_TOKEN: token, SALEPROOF_FAST_PATH: 'on' },
  })
  onTestFinished(() => service.close())
  const headers = { authorization: `Bearer ${token}` }
  return { service, metrics: async () => (await service.request({ path: '/metrics', headers })).text }
}

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
