import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lisboaItem, purchaseTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import {
  boundKey,
  codes,
  emptyKey,
  portugueseKey,
  publishableKey,
  records,
  secretKey,
} from '../support/records.ts'

const { path } = operations.validatePurchase

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const validate = (key: string, fields: object, headers = {}) =>
  service.request({
    method: 'POST',
    path,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  })

const outcome = async (key: string, code: unknown) => {
  const { status, headers } = await validate(key, { purchase_code: code })
  return headers['x-error-code'] ?? status
}

describe.each(['base', 'extended'] as const)('in the %s shape', (shape) => {
  test.each(['active', 'extendedLicense', 'video', 'audio'] as const)('%s, byte for byte', async (name) => {
    const answer = await validate(secretKey, { purchase_code: codes[name], shape })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(purchaseTexts[shape][name])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    for (const name of ['etag', 'vary']) expect(answer.headers[name]).toBeUndefined()
  })
})

test('the defaults of the workspace hold', async () => {
  const answer = await validate(portugueseKey, { purchase_code: codes.portuguese })
  expect(answer.text).toContain(`"item":${lisboaItem},"supported_until":"2025-04-27T12:00:00Z"`)
  expect(answer.headers['content-language']).toBe('pt')
})

describe('states', () => {
  test.each(['refunded', 'revoked'] as const)('a %s purchase does not validate', async (state) => {
    for (const [language, msg] of [
      ['en', 'Invalid purchase code'],
      ['pt', 'Código de compra inválido'],
    ]) {
      const answer = await validate(
        secretKey,
        { purchase_code: codes[state] },
        { 'accept-language': language },
      )
      expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'purchase_not_active'])
      expect(answer.text).toBe(`{"status":"error","msg":"${msg}"}`)
      expect(answer.headers['content-language']).toBe(language)
    }
  })

  test('a purchase that is refunded stops validating, and validates again when it is active again', async () => {
    const sale = {
      type: 'purchase',
      item: 101,
      purchase_code: 'EEEE-7777-comes-and-goes',
      license_type: 'Regular',
      price: 1,
      currency: 'USD',
      downloaded: false,
      date: '2024-04-27T12:00:00Z',
    }
    await service.load([sale])
    expect(await outcome(secretKey, sale.purchase_code)).toBe(200)
    await service.load([{ ...sale, state: 'refunded' }])
    expect(await outcome(secretKey, sale.purchase_code)).toBe('purchase_not_active')
    await service.load([{ ...sale, state: 'active' }])
    expect(await outcome(secretKey, sale.purchase_code)).toBe(200)
  })
})

describe('codes', () => {
  const code = codes.active
  const pasted: Record<string, string> = {
    'with white space around it': ` \t\n${code}\u00a0\u3000`,
    'with an en dash': code.replaceAll('-', '\u2013'),
    'with any dash': 'AAAA\u20101111\u2212active\u2015image',
    'with zero-width characters': `\u200b${code.slice(0, 5)}\u200c\u200d\u2060${code.slice(5)}\ufeff`,
    'in full width': code.replace('AAAA', 'ＡＡＡＡ').replace('1111', '１１１１'),
    'all of it, and white space inside its invisible edges': `\u200b ＡＡＡＡ\u20131111-active-image \u2060`,
  }
  test.each(Object.entries(pasted))('a paste %s is the stored code', async (_name, text) => {
    const answer = await validate(secretKey, { purchase_code: text })
    expect(answer.text).toBe(purchaseTexts.base.active)
  })

  test.each([code.toLowerCase(), `${code}x`, code.slice(1), 'ÀÀÀÀ-1111-active-image', '%', '*'])(
    '%s is unknown',
    async (text) => {
      expect(await outcome(secretKey, text)).toBe('purchase_not_found')
    },
  )

  test('what is stored with such characters is stored in its one form', async () => {
    const sale = {
      type: 'purchase',
      item: 101,
      license_type: 'Regular',
      price: 0,
      currency: 'USD',
      downloaded: false,
      date: '2024-04-27T12:00:00Z',
    }
    await service.load([{ ...sale, purchase_code: ' \ufb01le\u2013e\u200b\u0301\u2013code ' }])
    for (const purchase_code of [
      ' \ufb01le\u2013e\u200b\u0301\u2013code ',
      'file-\u00e9-code',
      'file-e\u0301-code',
    ]) {
      const { purchase } = JSON.parse((await validate(secretKey, { purchase_code })).text).data
      expect(purchase.purchase_code).toBe('file-\u00e9-code')
    }
  })

  test('two spellings in one request are one code', async () => {
    const sent = new URLSearchParams({ purchase_code: code.replaceAll('-', '\u2013') })
    const path = `/api/purchases/validation?${sent}`
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const answer = await service.request({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify({ purchase_code: code }),
    })
    expect(answer.text).toBe(purchaseTexts.base.active)
  })

  const invalid = { number: 1, true: true, null: null, list: [code], empty: [], object: { a: code } }
  const texts = {
    'U+0000': 'a\0b',
    'a lone surrogate': '\ud800a',
    '256 characters': 'x'.repeat(256),
    '255 that become more': `\ufdfa${'x'.repeat(254)}`,
  }
  test.each(Object.entries({ ...invalid, ...texts }))('%s is no code', async (_name, value) => {
    const answer = await validate(secretKey, { purchase_code: value })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'invalid_parameter'])
    expect(answer.text).toBe('{"status":"error","msg":"Invalid purchase code"}')
  })

  test('255 characters may be a code, however many bytes they take', async () => {
    for (const text of ['x'.repeat(255), '😀'.repeat(255), ` ${'x'.repeat(255)} `])
      expect(await outcome(secretKey, text)).toBe('purchase_not_found')
    expect(await outcome(secretKey, '😀'.repeat(256))).toBe('invalid_parameter')
  })

  test.each(['', '  ', '\u3000\n', '\u200b\u2060'])('"%s" is missing', async (text) => {
    const answer = await validate(secretKey, { purchase_code: text })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'missing_parameter'])
    expect(answer.text).toBe('{"status":"error","msg":"Invalid purchase code"}')
  })
})

describe('publishable keys', () => {
  test('one that is bound to none validates every purchase of its workspace', async () => {
    for (const name of ['active', 'video', 'audio'] as const)
      expect((await validate(publishableKey, { purchase_code: codes[name] })).text).toBe(
        purchaseTexts.base[name],
      )
  })

  test('one that is bound validates purchases of its items alone', async () => {
    expect((await validate(boundKey, { purchase_code: codes.active })).text).toBe(purchaseTexts.base.active)
    expect(await outcome(boundKey, codes.refunded)).toBe('purchase_not_active')
    for (const code of [codes.video, codes.audio, codes.others, 'ZZZZ-0000-of-nobody'])
      expect(await outcome(boundKey, code)).toBe('purchase_not_found')
  })
})

test('a code of another workspace is unknown', async () => {
  expect(await outcome(emptyKey, codes.active)).toBe('purchase_not_found')
})

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  '%s is not allowed',
  async (method) => {
    const answer = await service.request({
      method,
      path: `${path}?purchase_code=${codes.active}`,
      headers: { 'x-api-key': secretKey },
    })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.allow).toBe('POST')
  },
)
