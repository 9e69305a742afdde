import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import { schemas, strictValidator } from '../src/schemas.ts'
import {
  account,
  apiKey,
  bodies,
  code,
  itemBase,
  itemExtended,
  purchaseBase,
  purchaseExtended,
} from './records.ts'

const clientOf = (body: unknown) =>
  createClient({
    baseUrl: 'https://market.example.com',
    apiKey,
    validate: strictValidator,
    fetch: async () => Response.json(body),
  })

describe('strictValidator', () => {
  it('accepts responses of the API with fields of later versions', async () => {
    const purchase = { ...purchaseBase, seats: 5, item: { ...purchaseBase.item, sku: 'x' } }
    expect(await clientOf({ status: 'success', data: { purchase } }).validatePurchase(code)).toEqual(purchase)
    expect(await clientOf(bodies.purchaseExtended).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
    expect(await clientOf(bodies.items).listItems()).toEqual([itemBase])
    expect(await clientOf(bodies.account).getAccount()).toEqual(account)
  })

  it('rejects values that the light check accepts', async () => {
    const purchase = { ...purchaseBase, currency: 'dollars' }
    expect(await clientOf({ status: 'success', data: { purchase } }).checkPurchase(code)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'invalid_response', code: 'unexpected_body' },
    })
    await expect(
      clientOf({ status: 'success', item: { ...itemBase, demo_link: null } }).getItem(101),
    ).rejects.toMatchObject({
      kind: 'invalid_response',
    })
  })

  it('keeps the shapes apart', () => {
    expect(strictValidator('validatePurchase', purchaseBase, 'base')).toBe(true)
    expect(strictValidator('validatePurchase', purchaseBase, 'extended')).toBe(false)
    expect(strictValidator('validatePurchase', purchaseExtended, 'extended')).toBe(true)
    expect(strictValidator('getItem', itemExtended, 'base')).toBe(false)
    expect(strictValidator('listItems', [itemExtended])).toBe(true)
  })
})

it('offers standard schemas whose issues do not repeat the value', async () => {
  const validate = (value: unknown) => schemas.purchase.base['~standard'].validate(value)
  expect(await validate(purchaseBase)).toEqual({ value: purchaseBase })
  const { issues } = await validate({ ...purchaseBase, currency: 'secret-value' })
  expect(issues).toHaveLength(1)
  expect(JSON.stringify(issues?.map(({ message }) => message))).not.toContain('secret-value')
})
