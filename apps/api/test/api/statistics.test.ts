import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/harness.ts'
import { codes, expiredKey, otherKey, records, revokedKey, secretKey } from '../support/records.ts'

const { path } = operations.validatePurchase

let service: TestService
beforeAll(async () => {
  service = await startService({ records, env: { SALEPROOF_FAILURE_LIMIT: '2/600' } })
})
afterAll(() => service.close())

const validate = (key: string, code: string) =>
  service.request({
    method: 'POST',
    path,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code }),
  })

const workspaceOf = async (slug: string) =>
  (await service.database.prisma.workspace.findUniqueOrThrow({ where: { slug } })).id

/** How the validations of a workspace ended, and what was proven. */
async function counted(slug: string) {
  const workspaceId = await workspaceOf(slug)
  const { rows } = await service.opened.usage.statistics({ workspaceId, from: 0, to: 1e9 })
  const of = (kind: string, name: 'name' | 'code') =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map((row) => [row[name], row.count]))
  return { ended: of('key', 'code'), proven: of('item', 'name') }
}

test('validations are counted for their seller by how they ended and what they proved, and nothing else is', async () => {
  for (const code of [codes.active, codes.active, codes.video, codes.refunded, ` ${codes.audio} `])
    await validate(secretKey, code)
  for (const code of ['unknown-1', 'unknown-2', 'unknown-3']) await validate(secretKey, code)
  await validate(secretKey, '')
  await validate(otherKey, codes.others)
  await validate('a-key-that-there-is-not', codes.active)
  for (const key of [expiredKey, revokedKey, revokedKey]) await validate(key, codes.active)
  for (const key of [secretKey, expiredKey])
    await service.request({ path: operations.getAccount.path, headers: { 'x-api-key': key } })
  await expect
    .poll(() => counted('ada-studio'))
    .toEqual({
      ended: {
        '': 4,
        purchase_not_active: 1,
        purchase_not_found: 2,
        rate_limited: 1,
        missing_parameter: 1,
        expired_api_key: 1,
        revoked_api_key: 2,
      },
      proven: { 101: 2, 102: 1, 9007199254740991: 1 },
    })
  expect((await counted('bob-works')).ended).toEqual({ '': 1 })
})
