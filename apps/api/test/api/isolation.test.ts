import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sent } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import {
  boundKey,
  codes,
  emptyKey,
  otherKey,
  publishableKey,
  records,
  secretKey,
} from '../support/records.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

/** Everything that a caller can see of an answer, but for the time and the name of the request. */
async function visible(sent: Sent) {
  const { status, headers, text } = await service.request(sent)
  const { date, 'x-request-id': id, ...rest } = headers
  return { status, names: Object.keys(headers), rest, text }
}

/** An unknown code of the same form: another form may be read in another way. */
const unknownLike = (code: string) => code.replace(/[A-Z]{4}/, 'QQQQ')

const item = (key: string, id: number | string, query = ''): Sent => ({
  path: `${operations.getItem.path}?item_id=${id}${query}`,
  headers: { 'x-api-key': key },
})

const json = (key: string, purchase_code: string, shape = 'base'): Sent => ({
  method: 'POST',
  path: operations.validatePurchase.path,
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  body: JSON.stringify({ purchase_code, shape }),
})

const form = (key: string, purchase_code: string): Sent => ({
  method: 'POST',
  path: operations.validatePurchase.path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ api_key: key, purchase_code }).toString(),
})

const inQuery = (key: string, purchase_code: string): Sent => ({
  method: 'POST',
  path: `${operations.validatePurchase.path}?${new URLSearchParams({ purchase_code })}`,
  headers: { authorization: `Bearer ${key}` },
})

describe('another workspace', () => {
  test.each([
    [secretKey, [201, 301]],
    [otherKey, [101, 102, 9007199254740991, 301]],
    [emptyKey, [101, 201, 301]],
  ] as const)('its items are unknown (%#)', async (key, ids) => {
    for (const query of ['', '&shape=extended', '&shape=x'])
      for (const id of ids)
        expect(await visible(item(key, id, query))).toEqual(await visible(item(key, id - 3, query)))
    expect((await visible(item(key, ids[0]))).status).toBe(404)
    const head = { ...item(key, ids[0]), method: 'HEAD' }
    expect(await visible(head)).toEqual(await visible({ ...item(key, 777), method: 'HEAD' }))
    const conditional = (id: number) => ({
      path: item(key, id).path,
      headers: { 'x-api-key': key, 'if-none-match': '*' },
    })
    expect(await visible(conditional(ids[0]))).toEqual(await visible(conditional(777)))
  })

  test.each([
    [secretKey, [codes.others, codes.portuguese]],
    [publishableKey, [codes.others, codes.portuguese]],
    [otherKey, [codes.active, codes.refunded, codes.revoked, codes.portuguese]],
  ])('its codes are unknown (%#)', async (key, others) => {
    for (const code of [...others, others[0]!.replaceAll('-', '\u2013'), ` ${others[0]} `]) {
      for (const way of [json, form, inQuery])
        expect(await visible(way(key, code))).toEqual(await visible(way(key, unknownLike(code))))
      for (const shape of ['extended', 'x'])
        expect(await visible(json(key, code, shape))).toEqual(
          await visible(json(key, unknownLike(code), shape)),
        )
    }
    expect((await visible(json(key, others[0]!))).status).toBe(404)
  })

  test('the same code can be sold in two workspaces, and each sees its own', async () => {
    const sale = {
      type: 'purchase',
      purchase_code: 'SAME-CODE-IN-BOTH',
      license_type: 'Regular',
      currency: 'USD',
    }
    const rest = { downloaded: false, date: '2024-04-27T12:00:00Z' }
    await service.load([
      { ...sale, ...rest, item: 101, price: 1 },
      { ...sale, ...rest, item: 201, price: 2, state: 'refunded' },
    ])
    expect(JSON.parse((await visible(json(secretKey, sale.purchase_code))).text).data.purchase.item.id).toBe(
      101,
    )
    expect((await visible(json(otherKey, sale.purchase_code))).rest['x-error-code']).toBe(
      'purchase_not_active',
    )
    expect((await visible(json(boundKey, sale.purchase_code))).status).toBe(200)
  })

  test('a list holds the items of its own workspace alone', async () => {
    const ids = async (key: string) => {
      const { text } = await service.request({
        path: operations.listItems.path,
        headers: { 'x-api-key': key },
      })
      return JSON.parse(text).items.map(({ id }: { id: number }) => id)
    }
    expect(await ids(secretKey)).toEqual([9007199254740991, 102, 101])
    expect(await ids(otherKey)).toEqual([201])
  })
})

test('to a bound key, purchases of other items are unknown', async () => {
  const hidden = [codes.video, codes.audio, codes.others, codes.portuguese]
  for (const code of hidden) {
    for (const way of [json, form, inQuery])
      expect(await visible(way(boundKey, code))).toEqual(await visible(way(boundKey, unknownLike(code))))
  }
  expect((await visible(json(boundKey, codes.active))).status).toBe(200)
})

test('the key of another workspace and an unknown key get the same where both are refused', async () => {
  const path = `${operations.listItems.path}?api_key=${secretKey}`
  const other = await visible({ path, headers: { 'x-api-key': otherKey } })
  expect(other).toEqual(await visible({ path, headers: { 'x-api-key': 'sp_no_such_key_at_all' } }))
})
