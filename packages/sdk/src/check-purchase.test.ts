import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodies, code, purchaseBase, purchaseExtended, refusal } from '../test/records.ts'
import { toOutcome } from './check-purchase.ts'
import { type ErrorKind, SaleproofError } from './errors.ts'
import { createClient } from './index.ts'

const kinds: readonly ErrorKind[] = [
  'configuration',
  'aborted',
  'timeout',
  'connection',
  'invalid_response',
  'authentication',
  'not_found',
  'rate_limited',
  'rejected',
  'server',
]

const failed = (kind: ErrorKind, reason: string | undefined, status?: number) => {
  const error = new SaleproofError(kind, { code: reason, status })
  return { error, outcome: toOutcome(error) }
}

describe('toOutcome', () => {
  it.each(['purchase_not_found', 'purchase_not_active'])('is invalid for a 404 that says %s', (reason) => {
    expect(failed('not_found', reason, 404).outcome).toEqual({ outcome: 'invalid', reason })
  })

  it('is invalid for what cannot be a code', () => {
    expect(failed('rejected', 'malformed_code').outcome).toEqual({
      outcome: 'invalid',
      reason: 'malformed_code',
    })
  })

  it('is unknown for every other error, with that error', () => {
    const reasons = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'purchase_not_found',
        'purchase_not_active',
        undefined,
        'xpurchase_not_found',
        'purchase_not_foundx',
      ),
      fc.constantFrom(
        '',
        'malformed_code',
        'item_not_found',
        'route_not_found',
        'malformed',
        'purchase_not_',
      ),
    )
    const statuses = fc.constantFrom(undefined, 400, 403, 404, 410, 429, 500)
    fc.assert(
      fc.property(fc.constantFrom(...kinds), reasons, statuses, (kind, reason, status) => {
        const says = reason === 'purchase_not_found' || reason === 'purchase_not_active'
        fc.pre(reason !== 'malformed_code' && !(kind === 'not_found' && says))
        fc.pre(kind !== 'configuration' && kind !== 'aborted')
        const { error, outcome } = failed(kind, reason, status)
        expect(outcome).toEqual({ outcome: 'unknown', error })
      }),
    )
  })
})

it.each(['configuration', 'aborted'] as const)('throws what the caller is responsible for: %s', (kind) => {
  const error = new SaleproofError(kind, {})
  expect(() => toOutcome(error)).toThrow(error)
})

describe('a complete response of any kind', () => {
  const answerWith = (status: number, body: string, headers: Record<string, string>) =>
    createClient({
      baseUrl: 'https://market.example.com',
      apiKey: 'a-key-of-sixteen-characters',
      maxRetries: 0,
      fetch: async () => new Response([204, 205, 304].includes(status) ? null : body, { status, headers }),
    })

  it('is valid for a purchase of the item, or of any item when none was asked for', async () => {
    for (const purchase of [purchaseBase, purchaseExtended]) {
      const body = JSON.stringify({ ...bodies.purchase, data: { purchase } })
      const client = answerWith(200, body, {})
      for (const options of [{}, { itemId: 101 }, { itemId: '101' }])
        expect(await client.checkPurchase(code, options)).toEqual({ outcome: 'valid', purchase })
      for (const itemId of [102, 10, 1010])
        expect(await client.checkPurchase(code, { itemId })).toEqual({
          outcome: 'invalid',
          reason: 'wrong_item',
        })
    }
  })

  const texts = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(JSON.stringify(bodies.purchase), JSON.stringify(refusal()), '{}', '<html>', ''),
    fc.object({ maxDepth: 3 }).map((object) => JSON.stringify({ status: 'success', ...object })),
    fc.object({ maxDepth: 2 }).map((object) => JSON.stringify({ status: 'error', ...object })),
  )
  const statuses = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 404, 404))
  const errorCodes = fc.constantFrom(
    undefined,
    'purchase_not_found',
    'purchase_not_active',
    'route_not_found',
    'x',
  )

  it('is valid only with this purchase in a success, and invalid only with a 404 in this envelope', async () => {
    await fc.assert(
      fc.asyncProperty(statuses, texts, errorCodes, async (status, text, errorCode) => {
        const headers: Record<string, string> = errorCode ? { 'x-error-code': errorCode } : {}
        const { outcome } = await answerWith(status, text, headers).checkPurchase(code)
        if (outcome === 'valid') {
          expect([status, text]).toEqual([200, JSON.stringify(bodies.purchase)])
        }
        if (outcome === 'invalid') {
          const { status: word, msg } = JSON.parse(text)
          expect([status, word, typeof msg]).toEqual([404, 'error', 'string'])
          if (errorCode) expect(['purchase_not_found', 'purchase_not_active']).toContain(errorCode)
          else expect(['Invalid purchase code', 'Código de compra inválido']).toContain(msg)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('cannot be forced to unknown by the code', async () => {
    const codes = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        'purchase_not_found',
        'purchase_not_active',
        'purchase',
        'X-Error-Code',
        'error',
        '%00',
        '&shape=x',
      ),
    )
    await fc.assert(
      fc.asyncProperty(codes, async (asked) => {
        const client = answerWith(404, JSON.stringify(refusal()), {
          'x-error-code': 'purchase_not_found',
          'x-request-id': 'request-1',
        })
        expect((await client.checkPurchase(asked)).outcome).toBe('invalid')
      }),
      { numRuns: 500 },
    )
  })
})
