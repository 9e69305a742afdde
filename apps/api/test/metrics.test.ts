import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sent } from './client.ts'
import { startService, type TestService } from './harness.ts'
import { codes, expiredKey, publishableKey, records, secretKey } from './records.ts'

const token = 'a-token-of-the-metrics'
const { getAccount, listItems, getItem, validatePurchase } = operations

test('without METRICS_TOKEN there are no metrics', async () => {
  const service = await startService()
  const answer = await service.request({ path: '/metrics', headers: { authorization: `Bearer ${token}` } })
  expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'route_not_found'])
  await service.close()
})

const get = (path: string, key = secretKey): Sent => ({ path, headers: { 'x-api-key': key } })
const post = (purchase_code: string, headers: Record<string, string> = {}): Sent => {
  const body = JSON.stringify({ purchase_code })
  return {
    ...{ method: 'POST', path: validatePurchase.path, body },
    headers: {
      ...{
        'x-api-key': secretKey,
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(body)}`,
      },
      ...headers,
    },
  }
}

const secret = 'QQQQ-a-code-that-nobody-has'
/** What is sent, how often, and under which labels it has to be counted. */
const traffic: [times: number, sent: Sent, labels: string][] = [
  [5, get(getAccount.path), 'getAccount 200 none'],
  [2, get(`${getAccount.path}?api_key=%73x`), 'getAccount 400 conflicting_api_keys'],
  [3, get(listItems.path), 'listItems 200 none'],
  [4, get(`${getItem.path}?item_id=101&shape=extended`), 'getItem 200 none'],
  [2, get(`${getItem.path}?item_id=9007199254740991`), 'getItem 200 none'],
  [3, get(`${getItem.path}?item_id=5`), 'getItem 404 item_not_found'],
  [2, get(getItem.path), 'getItem 400 missing_parameter'],
  [2, get(getItem.path, publishableKey), 'getItem 403 key_not_allowed'],
  [2, get(getAccount.path, expiredKey), 'getAccount 401 expired_api_key'],
  [2, get(getAccount.path, 'sp_key_of_nobody_at_all'), 'getAccount 401 invalid_api_key'],
  [4, post(codes.active), 'validatePurchase 200 none'],
  [3, post(secret), 'validatePurchase 404 purchase_not_found'],
  [2, post(codes.refunded), 'validatePurchase 404 purchase_not_active'],
  [2, post('x', { 'content-type': 'text/plain' }), 'validatePurchase 415 unsupported_media_type'],
  [2, { path: `/nowhere/${secret}` }, 'other 404 route_not_found'],
  [3, { path: '/healthz' }, 'other 200 none'],
]

describe.each(['on', 'off'])('with the hot path %s', (hotPath) => {
  let service: TestService
  let text: string
  const metrics = (authorization?: string) =>
    service.request({ path: '/metrics', headers: authorization === undefined ? {} : { authorization } })
  beforeAll(async () => {
    service = await startService({ records, env: { METRICS_TOKEN: token, SALEPROOF_HOT_PATH: hotPath } })
    for (const [times, sent] of traffic)
      for (let index = 0; index < times; index++) await service.request(sent)
    const { etag } = (await service.request(get(getAccount.path))).headers
    const unchanged = get(getAccount.path)
    await service.request({ ...unchanged, headers: { ...unchanged.headers, 'if-none-match': etag! } })
    text = (await metrics(`Bearer ${token}`)).text
  })
  afterAll(() => service.close())

  test('are refused to everybody without the token', async () => {
    for (const given of [
      undefined,
      '',
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Basic ${token}`,
    ]) {
      const answer = await metrics(given)
      expect(answer.status).toBe(401)
      expect(answer.text).not.toContain('saleproof_')
    }
    const inQuery = await service.request({ path: `/metrics?token=${token}&api_key=${token}` })
    expect(inQuery.status).toBe(401)
    expect((await metrics(`bearer ${token}`)).status).toBe(200)
  })

  test('are text that no cache keeps', async () => {
    const { headers } = await metrics(`Bearer ${token}`)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('count exactly what was sent', () => {
    const expected = new Map<string, number>([['getAccount 304 none', 1]])
    for (const [times, , labels] of [...traffic, [1, {}, 'getAccount 200 none'] as const])
      expected.set(labels, (expected.get(labels) ?? 0) + times)
    const line = /^saleproof_requests_total\{operation="(\w+)",status="(\d+)",code="(\w+)"\} (\d+)$/gm
    const counted = [...text.matchAll(line)].map(
      ([, operation, status, code, count]) => [`${operation} ${status} ${code}`, Number(count)] as const,
    )
    expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(expected))
  })

  test('have durations that add up', () => {
    for (const operation of Object.keys(operations)) {
      const sent = traffic.filter(([, , labels]) => labels.startsWith(`${operation} `))
      const total = sent.reduce((sum, [times]) => sum + times, 0) + (operation === 'getAccount' ? 2 : 0)
      const of = (name: string, labels = '') =>
        [
          ...text.matchAll(
            new RegExp(
              `^saleproof_request_duration_seconds_${name}\\{${labels}operation="${operation}"\\} (\\S+)$`,
              'gm',
            ),
          ),
        ].map(([, value]) => Number(value))
      expect(of('count')).toEqual([total])
      const buckets = of('bucket', 'le="[^"]+",')
      expect(buckets).toEqual(buckets.toSorted((a, b) => a - b))
      expect(buckets.at(-1)).toBe(total)
      const [sum] = of('sum') as [number]
      expect(sum).toBeGreaterThan(0)
      expect(sum).toBeLessThan(total * 5)
    }
  })

  test('hold no secret and nothing that a caller chose', () => {
    const keys = [secretKey, publishableKey, expiredKey, 'sp_key_of_nobody_at_all', token]
    for (const word of [...keys, ...Object.values(codes), secret, 'ada@example.com', 'nowhere'])
      expect(text, word).not.toContain(word)
  })
})
