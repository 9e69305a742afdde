import { readFileSync } from 'node:fs'
import { operations } from '@saleproof/schema'
import type { ConsoleFailedCode, FailedCodeReason } from '@saleproof/schema/console'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usageFilePath } from '../../src/db/location.ts'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { boundKey, codes, otherKey, records, secretKey } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const start = Date.parse('2026-11-21T12:00:00Z')
let now = start

let service: TestService
let ada: Browser
beforeAll(async () => {
  service = await startService({
    records: withPasswords,
    clock: () => new Date(now),
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service.close())

/** The fast path leaves requests with other parameters to the routes. */
const validate = (key: string, code: string, more: object = {}) =>
  service.request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code, ...more }),
  })
const failed = async (reason: FailedCodeReason) =>
  (await ada.ask('listFailedCodes', { slug: 'ada-studio' }, { reason })).codes
const summary = ({ purchase, masked, count, key }: ConsoleFailedCode) => [
  purchase?.purchase_code ?? masked,
  purchase?.state,
  key?.name,
  count,
]

const typo = 'AAAA-1111-actlve-image'

test('what failed leads to its purchases; an unknown code is masked, and kept encrypted', async () => {
  const sent = [codes.refunded, codes.revoked, codes.refunded, typo, 'short-code', codes.active]
  for (const code of sent) {
    now += 1000
    await validate(secretKey, code, code === codes.revoked ? { shape: 'base', other: [] } : {})
  }
  now += 1000
  await validate(boundKey, codes.video)
  await validate(otherKey, 'of-another-workspace')
  expect((await failed('purchase_not_active')).map(summary)).toEqual([
    [codes.refunded, 'refunded', 'production', 2],
    [codes.revoked, 'revoked', 'production', 1],
  ])
  const unknown = await failed('purchase_not_found')
  expect(unknown.map(summary)).toEqual([
    [codes.video, 'active', 'plugin of 101', 1],
    [null, undefined, 'production', 1],
    ['AAAA…mage', undefined, 'production', 1],
  ])
  expect(unknown.map(({ at }) => Date.parse(at))).toEqual([start + 7000, start + 5000, start + 4000])
  const { place } = service.opened
  if (place.kind === 'sqlite')
    for (const end of ['', '-wal'])
      expect(readFileSync(`${usageFilePath(place.file)}${end}`, 'latin1')).not.toContain('actlve')
  expect(service.logs.join('')).not.toContain('actlve')
})

test('the last 50 codes are kept, and none for longer than 30 days', async () => {
  for (let index = 0; index < 60; index++) {
    now += 1000
    await validate(secretKey, `AN-UNKNOWN-CODE-NUMBER-${1000 + index}`)
    if (index === 30) await failed('purchase_not_found')
  }
  const kept = await failed('purchase_not_found')
  expect(kept.map(({ masked }) => masked)).toEqual(
    Array.from({ length: 50 }, (_, index) => `AN-U…${1059 - index}`),
  )
  now += 31 * 24 * 3_600_000
  ada = createBrowser(service.url)
  await ada.signIn('ada')
  await validate(secretKey, 'THE-ONLY-ONE-OF-THIS-MONTH')
  expect((await failed('purchase_not_found')).map(summary)).toEqual([
    ['THE-…ONTH', undefined, 'production', 1],
  ])
  expect(await failed('purchase_not_active')).toEqual([])
})

test('another owner gets not_found, and an unknown reason is refused', async () => {
  const bob = createBrowser(service.url)
  await bob.signIn('bob')
  const request = { reason: 'purchase_not_found' } as const
  expect(errorOf(await bob.call('listFailedCodes', { slug: 'ada-studio' }, request))).toEqual([
    404,
    { code: 'not_found' },
  ])
  const { status } = await ada.call('listFailedCodes', { slug: 'ada-studio' }, { reason: 'x' } as never)
  expect(status).toBe(422)
})
