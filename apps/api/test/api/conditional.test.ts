import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/harness.ts'
import { records, revokedKey, secretKey } from '../support/records.ts'

const vary = 'Authorization, X-Api-Key, Accept-Language, Accept-Encoding'
const encodings = ['br', 'gzip', 'identity'] as const

/** Enough items that an answer is worth compressing. */
const sample = records.find((record) => (record as { id?: number }).id === 101)
const more = Array.from({ length: 30 }, (_, index) => ({ ...sample, id: 1000 + index }))

let service: TestService
let list: string
beforeAll(async () => {
  service = await startService({ records: [...records, ...more] })
  list = (await get({})).text
})
afterAll(() => service.close())

const get = (headers: Record<string, string>, method = 'GET', path: string = operations.listItems.path) =>
  service.request({ method, path, headers: { 'x-api-key': secretKey, ...headers } })

describe.each(encodings)('%s', (encoding) => {
  const accepted = { 'accept-encoding': encoding }

  test('has the same body, an entity tag of its own, and says what it depends on', async () => {
    const answer = await get(accepted)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
    expect(answer.text).toBe(list)
    expect(JSON.parse(answer.text).items).toHaveLength(33)
    expect(answer.headers.vary).toBe(vary)
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    const others = encodings.filter((other) => other !== encoding)
    for (const other of others) {
      const { headers } = await get({ 'accept-encoding': other })
      expect(headers.etag).not.toBe(answer.headers.etag)
    }
    expect((await get(accepted)).headers.etag).toBe(answer.headers.etag)
  })

  test('answers If-None-Match with 304', async () => {
    const { etag } = (await get(accepted)).headers
    for (const text of [etag!, `W/${etag}`, `"x", ${etag} , "y"`, '*']) {
      const answer = await get({ ...accepted, 'if-none-match': text })
      expect([answer.status, answer.text]).toEqual([304, ''])
      expect(answer.headers.etag).toBe(etag)
      expect(answer.headers.vary).toBe(vary)
      expect(answer.headers['cache-control']).toBe('private, no-cache')
      for (const name of ['content-type', 'content-encoding', 'content-length'])
        expect(answer.headers[name]).toBeUndefined()
    }
    for (const text of ['"other"', etag!.slice(1, -1), '']) {
      expect((await get({ ...accepted, 'if-none-match': text })).status).toBe(200)
    }
  })

  test('answers HEAD with the headers of GET', async () => {
    const [head, full] = [await get(accepted, 'HEAD'), await get(accepted)]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of [
      'etag',
      'vary',
      'cache-control',
      'content-type',
      'content-encoding',
      'content-length',
    ])
      expect(head.headers[name], name).toBe(full.headers[name])
    expect((await get({ ...accepted, 'if-none-match': full.headers.etag! }, 'HEAD')).status).toBe(304)
  })
})

test('the best of what the caller takes is sent', async () => {
  const chosen = async (header: string) =>
    (await get({ 'accept-encoding': header })).headers['content-encoding'] ?? 'identity'
  expect(await chosen('gzip, deflate, br, zstd')).toBe('br')
  expect(await chosen('gzip, br;q=0.5')).toBe('gzip')
  expect(await chosen('gzip;q=0, *')).toBe('br')
  expect(await chosen('deflate')).toBe('identity')
  expect(await chosen('gzip;q=0')).toBe('identity')
  expect(await chosen('identity;q=0, *;q=0')).toBe('identity')
  expect(await chosen('')).toBe('identity')
})

test('a tag of another language or of another answer does not match', async () => {
  const { etag } = (await get({})).headers
  expect((await get({ 'if-none-match': etag!, 'accept-language': 'pt' })).status).toBe(200)
  expect((await get({ 'if-none-match': etag! }, 'GET', operations.getAccount.path)).status).toBe(200)
  expect(
    (await get({ 'if-none-match': etag! }, 'GET', `${operations.listItems.path}?shape=extended`)).status,
  ).toBe(200)
})

test('the tag changes with what is stored', async () => {
  const path = `${operations.getItem.path}?item_id=1000`
  const before = (await get({}, 'GET', path)).headers.etag!
  await service.load([{ ...sample, id: 1000, name: 'Another name' }])
  const after = await get({ 'if-none-match': before }, 'GET', path)
  expect(after.status).toBe(200)
  expect(JSON.parse(after.text).item.name).toBe('Another name')
})

test('the key is checked before the tag', async () => {
  for (const key of ['sp_unknown_key_of_nobody', revokedKey]) {
    const answer = await get({ 'x-api-key': key, 'if-none-match': '*' })
    expect(answer.status).toBe(401)
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.headers.vary).toBeUndefined()
  }
})

test('a failure is not kept, whatever was asked', async () => {
  const answer = await get({ 'if-none-match': '*' }, 'GET', `${operations.getItem.path}?item_id=5`)
  expect(answer.status).toBe(404)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers.etag).toBeUndefined()
})

test('the list has no CORS headers', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await get({ origin: 'https://shop.example' }, method)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})
