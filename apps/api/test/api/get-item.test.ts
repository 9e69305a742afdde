import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { itemIds, itemTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { portugueseKey, publishableKey, records, secretKey } from '../support/records.ts'

const { path } = operations.getItem

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const get = (query: string, key: string = secretKey, headers = {}) =>
  service.request({ path: `${path}${query}`, headers: { 'x-api-key': key, ...headers } })

describe.each(['base', 'extended'] as const)('in the %s shape', (shape) => {
  test.each(['image', 'video', 'audio'] as const)('an item of kind %s, byte for byte', async (kind) => {
    const answer = await get(`?item_id=${itemIds[kind]}&shape=${shape}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(`{"status":"success","item":${itemTexts[shape][kind]}}`)
  })
})

test('the id may come before or after other parameters', async () => {
  const answer = await get(`?utm=1&shape=base&item_id=101&x[]=2`)
  expect(answer.text).toBe(`{"status":"success","item":${itemTexts.base.image}}`)
})

describe('what is not an id', () => {
  const wrong = [
    '1.0',
    '101.0',
    '1e3',
    '0x65',
    '+101',
    '0101',
    '007',
    '12abc',
    '0',
    '-1',
    '%20101',
    '101%20',
    '1_0',
  ]
  const large = ['9007199254740992', '9'.repeat(16), '1'.repeat(17), '1'.repeat(300)]
  const odd = ['%D9%A1', '%EF%BC%91', 'NaN', 'Infinity', 'null', '101%00', '1,2']
  test.each([...wrong, ...large, ...odd])('%s', async (id) => {
    const answer = await get(`?item_id=${id}`)
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'invalid_parameter'])
    expect(answer.text).toBe('{"status":"error","msg":"Item Not Found"}')
  })

  const repeated = ['item_id=101&item_id=101', 'item_id=101&item_id=102', 'item_id=&item_id=101']
  const structured = ['item_id[]=101', 'item_id[0]=101', 'item_id[a]=101', 'item_id=101&item_id[]=101']
  test.each([...repeated, ...structured, 'item_id%5B%5D=101'])('%s', async (query) => {
    const answer = await get(`?${query}`)
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'invalid_parameter'])
    expect(answer.text).toBe('{"status":"error","msg":"Item Not Found"}')
  })
})

test.each(['', '?item_id=', '?item_id=%20%09', '?ITEM_ID=101', '?itemid=101'])(
  'the id is missing in "%s"',
  async (query) => {
    const answer = await get(query)
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'missing_parameter'])
    expect(answer.text).toBe('{"status":"error","msg":"Item Not Found"}')
  },
)

test('an item that does not exist is not found, with the same text in both languages', async () => {
  for (const language of ['en', 'pt']) {
    for (const id of ['1', '103', '9007199254740990']) {
      const answer = await get(`?item_id=${id}`, secretKey, { 'accept-language': language })
      expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'item_not_found'])
      expect(answer.text).toBe('{"status":"error","msg":"Item Not Found"}')
      expect(answer.headers['content-language']).toBe(language)
    }
  }
})

test('a publishable key does not read items, and learns nothing about the id', async () => {
  for (const query of ['?item_id=101', '?item_id=5', '?item_id=x', '']) {
    const answer = await get(query, publishableKey)
    expect([answer.status, answer.headers['x-error-code']]).toEqual([403, 'key_not_allowed'])
  }
})

test('the language of the workspace holds where the caller prefers none', async () => {
  const language = async (accept: Record<string, string>) =>
    (await get('?item_id=5', portugueseKey, accept)).headers['content-language']
  expect(await language({})).toBe('pt')
  expect(await language({ 'accept-language': '*' })).toBe('pt')
  expect(await language({ 'accept-language': 'fr, de;q=0.5' })).toBe('pt')
  expect(await language({ 'accept-language': 'en' })).toBe('en')
  expect(await language({ 'accept-language': 'EN-gb;q=0.3, fr' })).toBe('en')
  expect(await language({ 'accept-language': 'pt-BR;q=0.5, en;q=0.9' })).toBe('en')
  expect(await language({ 'accept-language': 'en;q=0, fr' })).toBe('pt')
})
