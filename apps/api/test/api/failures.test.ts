import { type ErrorCode, errorCodes, type Locale, locales } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureRequests } from '../support/failure-requests.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records } from '../support/records.ts'

const services = {} as Record<Locale, TestService>
const seen = new Set<ErrorCode>()

beforeAll(async () => {
  for (const locale of locales)
    services[locale] = await startService({ records, env: { SALEPROOF_LOCALE: locale } })
})
afterAll(async () => {
  for (const service of Object.values(services)) await service.close()
})

/** Headers of every failure, whatever it is. */
const always = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'link',
  'x-content-type-options',
]
/** Whether a connection stays open is a matter of the connection. */
const ofConnection = new Set(['connection', 'keep-alive'])

describe.each(Object.entries(failureRequests))('%s', (code, requests) => {
  for (const locale of locales) {
    test.each(requests)(`$name, ${locale}`, async ({ ask, status, msg, headers = {} }) => {
      const service = services[locale]
      const answer = await ask(service)
      expect([answer.status, answer.headers['x-error-code']]).toEqual([status, code])
      expect(answer.text).toBe(`{"status":"error","msg":"${msg[locales.indexOf(locale)]}"}`)
      expect(answer.headers).toMatchObject({
        ...headers,
        'cache-control': 'no-store',
        'content-language': locale,
        'content-length': String(Buffer.byteLength(answer.text)),
        'content-type': 'application/json; charset=utf-8',
      })
      expect(answer.headers.link).toMatch(
        new RegExp(`^<http://127\\.0\\.0\\.1:\\d+/docs/errors#${code}>; rel="help"$`),
      )
      const names = Object.keys(answer.headers).filter((name) => !ofConnection.has(name))
      expect(names.sort()).toEqual(
        [...always, 'x-error-code', 'x-request-id', ...Object.keys(headers)].sort(),
      )
      seen.add(code as ErrorCode)
    })
  }
})

test('every code of the table was seen', () => {
  expect([...seen].sort()).toEqual([...errorCodes].sort())
})

test('an internal error reveals nothing internal', async () => {
  for (const { ask } of [...failureRequests.internal_error, ...failureRequests.unavailable]) {
    const { text, headers } = await ask(services.en)
    expect(text + JSON.stringify(headers)).not.toMatch(/sqlite|prisma|select|table|currency|\/tmp|\.ts|at /i)
  }
})

test('HEAD fails as GET does, without a body', async () => {
  const { request } = services.en
  for (const path of ['/api/items/all', '/nowhere', '/api/items/item?api_key=x']) {
    const [head, get] = [await request({ method: 'HEAD', path }), await request({ path })]
    expect([head.status, head.text]).toEqual([get.status, ''])
    for (const name of ['x-error-code', 'link', 'content-length', 'content-type', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name])
  }
})
