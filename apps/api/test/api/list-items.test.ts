import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemTexts, lisboaItem } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { emptyKey, portugueseKey, publishableKey, records, secretKey } from '../support/records.ts'

const { path } = operations.listItems

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const list = (key: string, query = '', headers = {}) =>
  service.request({ path: `${path}${query}`, headers: { 'x-api-key': key, ...headers } })

/** Newest first; at the same time, the higher id first. */
const textIn = (shape: 'base' | 'extended') => {
  const { audio, video, image } = itemTexts[shape]
  return `{"status":"success","items":[${audio},${video},${image}]}`
}

test('lists all items in the base shape, newest first and then by id descending', async () => {
  expect((await list(secretKey)).text).toBe(textIn('base'))
  expect((await list(secretKey, '?shape=base')).text).toBe(textIn('base'))
})

test('lists all items in the extended shape', async () => {
  expect((await list(secretKey, '?shape=extended')).text).toBe(textIn('extended'))
})

test('the shape twice with one value is fine', async () => {
  expect((await list(secretKey, '?shape=extended&shape=extended')).text).toBe(textIn('extended'))
})

test('the default shape of the workspace holds unless another one is asked for', async () => {
  expect((await list(portugueseKey)).text).toBe(`{"status":"success","items":[${lisboaItem}]}`)
  const base = await list(portugueseKey, '?shape=base')
  expect(base.text).toBe(
    `{"status":"success","items":[${itemTexts.base.image.replace('"id":101', '"id":301')}]}`,
  )
})

test('the default shape of the deployment holds for a workspace without one', async () => {
  const extended = await startService({
    records,
    env: { SALEPROOF_SHAPE: 'extended', SALEPROOF_LOCALE: 'pt' },
  })
  try {
    const answer = await extended.request({ path, headers: { 'x-api-key': secretKey } })
    expect(answer.text).toBe(textIn('extended'))
    expect(answer.headers['content-language']).toBe('pt')
    const none = await extended.request({ path, headers: { 'x-api-key': emptyKey } })
    expect(none.text).toBe('{"status":"error","msg":"Nenhum item encontrado"}')
  } finally {
    await extended.close()
  }
})

test('a workspace without items is a failure, in both languages', async () => {
  const en = await list(emptyKey)
  expect([en.status, en.headers['x-error-code'], en.headers['content-language']]).toEqual([
    404,
    'no_items',
    'en',
  ])
  expect(en.text).toBe('{"status":"error","msg":"No items found"}')
  const pt = await list(emptyKey, '', { 'accept-language': 'pt-BR' })
  expect([pt.status, pt.headers['x-error-code'], pt.headers['content-language']]).toEqual([
    404,
    'no_items',
    'pt',
  ])
  expect(pt.text).toBe('{"status":"error","msg":"Nenhum item encontrado"}')
})

test('a publishable key does not list', async () => {
  const answer = await list(publishableKey, '', { 'accept-language': 'pt' })
  expect([answer.status, answer.headers['x-error-code']]).toEqual([403, 'key_not_allowed'])
  expect(answer.text).toBe('{"status":"error","msg":"Invalid request"}')
})

test.each(['?shape=', '?shape=EXTENDED', '?shape[]=base', '?shape=base&shape=extended'])(
  'the shape %s is refused with the general message',
  async (query) => {
    const answer = await list(emptyKey, query)
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'invalid_parameter'])
    expect(answer.text).toBe('{"status":"error","msg":"Invalid request"}')
  },
)

test.each([`${path}/`, path.toUpperCase(), `/${path}`, '/api/items', '/api/items/%61ll'])(
  '%s is another address',
  async (other) => {
    const answer = await service.request({ path: other, headers: { 'x-api-key': secretKey } })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'route_not_found'])
  },
)
