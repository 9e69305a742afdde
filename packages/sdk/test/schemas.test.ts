import { operationSchemas } from '@saleproof/schema'
import { describe, expect, it } from 'vitest'
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
      error: { kind: 'invalid_response', code: 'unexpected_body' },
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
  ])('never turns %s into a valid or an invalid check', async (_, validate) => {
    const client = clientOf(bodies.purchase, { validatePurchase: schemaOf(validate) })
    expect(await client.checkPurchase(code, { timeoutMs: 100 })).toMatchObject({ outcome: 'unknown' })
  })

  it('uses nothing but the issues of a schema', async () => {
    const client = clientOf(bodies.purchase, { validatePurchase: schemaOf(async () => ({ value: 1 })) })
    expect(await client.validatePurchase(code)).toEqual(purchaseBase)
  })
})
