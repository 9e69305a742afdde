import { operationSchemas } from '@saleproof/schema'
import { describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient, type StandardSchema, type Validate } from '../src/index.ts'
import { account, apiKey, bodies, code, itemBase, purchaseBase } from './records.ts'

const clientOf = (body: unknown, validate: Validate = operationSchemas.base) =>
  createClient({
    baseUrl: 'https://market.example.com',
    apiKey,
    validate,
    maxRetries: 0,
    fetch: async () => Response.json(body),
  })

const schemaOf = (validate: StandardSchema['~standard']['validate']) => ({ '~standard': { validate } })

describe('validate', () => {
  it('accepts responses of the API with fields of later versions', async () => {
    const purchase = { ...purchaseBase, seats: 5, item: { ...purchaseBase.item, sku: 'x' } }
    expect(await clientOf({ status: 'success', data: { purchase } }).validatePurchase(code)).toEqual(purchase)
    expect(
      await clientOf(bodies.purchaseExtended, operationSchemas.extended).checkPurchase(code),
    ).toMatchObject({ outcome: 'valid' })
    expect(await clientOf(bodies.items).listItems()).toEqual([itemBase])
    expect(await clientOf(bodies.account).getAccount()).toEqual(account)
  })

  it('rejects values that the light check accepts', async () => {
    const purchase = { ...purchaseBase, currency: 'dollars' }
    const body = { status: 'success', data: { purchase } }
    expect(await clientOf(body, {}).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
    expect(await clientOf(body).checkPurchase(code)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'invalid_response', code: undefined },
    })
    await expect(
      clientOf({ status: 'success', item: { ...itemBase, demo_link: null } }).getItem(101),
    ).rejects.toMatchObject({ kind: 'invalid_response' })
  })

  it('rejects the other shape', async () => {
    expect(await clientOf(bodies.purchaseExtended).checkPurchase(code)).toMatchObject({ outcome: 'unknown' })
  })

  it.each([
    ['a rejected value', () => ({ issues: [{ message: 'no' }] })],
    ['an asynchronous rejection', async () => ({ issues: [] })],
    ['a schema that throws', () => JSON.parse('')],
    ['a schema that hangs', () => new Promise<never>(() => {})],
    ['false', () => false],
    ['a promise of false', async () => false],
    ['nothing', () => undefined],
    ['null', () => null],
    ['the result of another library', () => ({ success: false })],
    ['a rejection', () => Promise.reject(new Error('no'))],
  ])('never turns %s into a valid or an invalid check', async (_, validate) => {
    const client = clientOf(bodies.purchase, { validatePurchase: schemaOf(validate as never) })
    expect(await client.checkPurchase(code, { timeoutMs: 100 })).toMatchObject({ outcome: 'unknown' })
  })

  it('is no outage for a gate when a schema throws', async () => {
    let throws = true
    const schema = schemaOf((value) => (throws ? JSON.parse('') : { value }))
    const client = clientOf(bodies.purchase, { validatePurchase: schema })
    const gate = createGate({ client, onUnknown: 'deny' })
    const error = { kind: 'invalid_response', code: undefined }
    expect(await gate.check('AAAA-1111-BBBB-2222')).toMatchObject({ outcome: 'unknown', error })
    throws = false
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  })

  it('uses nothing but the issues of a schema', async () => {
    const client = clientOf(bodies.purchase, { validatePurchase: schemaOf(async () => ({ value: 1 })) })
    expect(await client.validatePurchase(code)).toEqual(purchaseBase)
  })
})
