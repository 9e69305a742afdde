import { operations } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/harness.ts'
import { codes, records, revokedKey, secretKey } from '../support/records.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const expiries = [-60_000, 1000, 3_600_000, 86_400_000 * 400].map((after) => ({
  key: `sp_test_key_that_expires_${after}`,
  at: start + after,
}))
const isoTime = (time: number) => new Date(time).toISOString()

let time = start
let service: TestService
beforeAll(async () => {
  const keys = expiries.map(({ key, at }) => ({
    type: 'api_key',
    workspace: 'ada-studio',
    name: key,
    key,
    expires_at: isoTime(at),
  }))
  service = await startService({ records: [...records, ...keys], clock: () => new Date(time) })
})
afterAll(() => service.close())

const outcomeOf = async (key: string) => {
  const answer = await service.request({ path: operations.getAccount.path, headers: { 'x-api-key': key } })
  return answer.headers['x-error-code'] ?? answer.status
}

const validate = (shape: string) => {
  const body = JSON.stringify({ purchase_code: codes.active, shape })
  const headers = { 'x-api-key': secretKey, 'content-type': 'application/json' }
  return service.request({ method: 'POST', path: operations.validatePurchase.path, headers, body })
}

/** Around each time that matters, and far away from all of them. */
const jumps = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom(...expiries), fc.integer({ min: -2, max: 2 })).map(([{ at }, by]) => at + by),
    fc.integer({ min: Date.parse('1999-01-01'), max: Date.parse('2200-01-01') }),
  ),
  { minLength: 1, maxLength: 8 },
)

test('wherever the clock jumps to, keys are expired exactly after they expire, and a purchase stays what it is', async () => {
  const [base, extended] = [(await validate('base')).text, (await validate('extended')).text]
  expect(extended).toContain('"supported_until":"2025-04-27T12:00:00Z"')
  await fc.assert(
    fc.asyncProperty(jumps, async (steps) => {
      for (const jump of steps) {
        time = jump
        for (const { key, at } of expiries)
          expect(await outcomeOf(key)).toBe(at <= time ? 'expired_api_key' : 200)
        expect(await outcomeOf(revokedKey)).toBe('revoked_api_key')
        expect([(await validate('base')).text, (await validate('extended')).text]).toEqual([base, extended])
      }
    }),
    { numRuns: 25 },
  )
  time = start
})

test('no caller is kept out by the window of a limit after the clock was set back', async () => {
  const env = { SALEPROOF_RATE_LIMIT: '3/60', SALEPROOF_FAILURE_LIMIT: 'off' }
  const limited = await startService({ records, env, clock: () => new Date(time) })
  const ask = async () => {
    const headers = { 'x-api-key': secretKey }
    return (await limited.request({ path: operations.getAccount.path, headers })).status
  }
  const all = async () => [await ask(), await ask(), await ask(), await ask()]
  expect(await all()).toEqual([200, 200, 200, 429])
  for (const jump of [-86_400_000, 86_400_000 * 3650, -86_400_000 * 3650]) {
    time += jump
    expect(await all()).toEqual([200, 200, 200, 429])
  }
  await limited.close()
  time = start
})
