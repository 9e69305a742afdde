import { operations } from '@saleproof/schema'
import { afterEach, describe, expect, test } from 'vitest'
import { itemTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'

let service: TestService
afterEach(() => service.close())

const start = async (env: Record<string, string>) => {
  service = await startService({ records, env })
  return service
}
const headers = { 'x-api-key': secretKey }
const list = operations.listItems.path

/** Where the service says that its pages are. */
const helpAt = async (more: Record<string, string | string[]> = {}, path = '/nowhere') =>
  /^<(.*)\/docs\/errors#route_not_found>/.exec(
    (await service.request({ path, headers: more })).headers.link!,
  )?.[1]

describe('PUBLIC_URL', () => {
  test.each(['https://shop.example/seller/api', 'https://shop.example/seller/api/'])('%s', async (url) => {
    const { request, raw } = await start({ PUBLIC_URL: url })
    expect(await helpAt()).toBe('https://shop.example/seller/api')
    const refused = await raw('nonsense\r\n\r\n')
    expect(refused.headers.link).toBe(
      '<https://shop.example/seller/api/docs/errors#malformed_request>; rel="help"',
    )
    for (const path of [list, `/seller/api${list}`]) {
      const answer = await request({ path, headers })
      expect(answer.text).toContain(itemTexts.base.image)
    }
    const beside = [`/seller/apix${list}`, `/seller${list}`, `/seller/api/seller/api${list}`, '/seller/api']
    for (const path of beside) {
      expect((await request({ path, headers })).headers['x-error-code']).toBe('route_not_found')
    }
    expect((await request({ path: '/seller/api/healthz' })).status).toBe(200)
  })

  test('forwarded headers change nothing of it', async () => {
    await start({ PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '1' })
    expect(await helpAt({ 'x-forwarded-host': 'evil.example' })).toBe('https://shop.example')
  })

  test('without it the address is the one listened on', async () => {
    await start({})
    expect(await helpAt()).toBe(service.url)
    expect(await helpAt({ host: 'evil.example' })).toBe(service.url)
  })
})

describe('TRUST_PROXY', () => {
  const forwarded = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' }

  test.each(['false', '0', '10.0.0.0/8'])('%s does not trust the one who asks', async (trust) => {
    await start({ TRUST_PROXY: trust })
    expect(await helpAt(forwarded)).toBe(service.url)
  })

  test.each(['1', '2', '127.0.0.0/8', '10.0.0.0/8, 127.0.0.1'])(
    '%s trusts what the proxy says',
    async (trust) => {
      await start({ TRUST_PROXY: trust })
      expect(await helpAt(forwarded)).toBe('https://shop.example')
      expect(await helpAt({ 'x-forwarded-host': 'shop.example:8443' })).toBe('http://shop.example:8443')
      expect(await helpAt()).toBe(service.url)
    },
  )

  test('the last value counts, which the nearest proxy added', async () => {
    await start({ TRUST_PROXY: '1' })
    const more = { 'x-forwarded-host': 'evil.example, shop.example', 'x-forwarded-proto': 'http, https' }
    expect(await helpAt(more)).toBe('https://shop.example')
  })

  test.each(['a b', 'a>; rel="x"', 'a/b', 'a@b', 'x'.repeat(256), ''])(
    'the host "%s" is not taken',
    async (host) => {
      await start({ TRUST_PROXY: '1' })
      expect(await helpAt({ 'x-forwarded-host': host })).toBe(service.url)
    },
  )
})
