import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { operationList, operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/package.ts'
import { sql } from '../support/broken-service.ts'
import { onPostgres } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import {
  expectedCounts,
  get,
  requests,
  samplesOf,
  secret,
  metricsToken as token,
  traffic,
  unknownKey,
  validate,
  valuesOf,
} from '../support/metrics-traffic.ts'
import { codes, expiredKey, publishableKey, records, secretKey } from '../support/records.ts'

const { getAccount, getItem } = operations

test('without METRICS_TOKEN there are no metrics', async () => {
  const service = await startService()
  const answer = await service.request({ path: '/metrics', headers: { authorization: `Bearer ${token}` } })
  expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'route_not_found'])
  await service.close()
})

const readMetrics = async (service: TestService) =>
  (await service.request({ path: '/metrics', headers: { authorization: `Bearer ${token}` } })).text

/** A service of its own for the rest of a test. */
async function started(env: Record<string, string> = {}) {
  const service = await startService({ records, env: { METRICS_TOKEN: token, ...env } })
  onTestFinished(() => service.close())
  return { service, metrics: () => readMetrics(service) }
}

describe.each(['on', 'off'])('with the fast path %s', (fastPath) => {
  let service: TestService
  let text: string
  const metrics = (authorization?: string) =>
    service.request({ path: '/metrics', headers: authorization === undefined ? {} : { authorization } })
  beforeAll(async () => {
    service = await startService({ records, env: { METRICS_TOKEN: token, SALEPROOF_FAST_PATH: fastPath } })
    for (const sent of requests) await service.request(sent)
    const { etag } = (await service.request(get(getAccount.path))).headers
    const unchanged = get(getAccount.path)
    await service.request({ ...unchanged, headers: { ...unchanged.headers, 'if-none-match': etag! } })
    text = await readMetrics(service)
  })
  afterAll(() => service.close())

  test('are refused without the token', async () => {
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
    const expected = expectedCounts()
    expected['getAccount 304 none'] = 1
    expected['getAccount 200 none']! += 1
    expect(valuesOf(text, 'saleproof_requests_total')).toEqual(expected)
  })

  test('count the responses of the fast path', () => {
    const hot = traffic.filter((part) => part.hot).reduce((sum, { times }) => sum + times, 0)
    const [answers] = Object.values(valuesOf(text, 'saleproof_fast_path_responses_total'))
    expect(answers).toBe(fastPath === 'on' ? hot + 2 : undefined)
  })

  test('count what is watched from nought', () => {
    const zeros = samplesOf(text).filter(
      ({ name, value }) => name === 'saleproof_requests_total' && value === 0,
    )
    for (const { name } of operationList) {
      expect(zeros).toContainEqual(
        expect.objectContaining({ labels: { operation: name, status: '500', code: 'internal_error' } }),
      )
      expect(zeros).toContainEqual(
        expect.objectContaining({ labels: { operation: name, status: '503', code: 'unavailable' } }),
      )
    }
  })

  test('have durations that add up', () => {
    const counts = valuesOf(text, 'saleproof_request_duration_seconds_count')
    const sums = valuesOf(text, 'saleproof_request_duration_seconds_sum')
    const buckets = samplesOf(text).filter(({ name }) => name === 'saleproof_request_duration_seconds_bucket')
    const expected: Record<string, number> = {}
    for (const [labels, count] of Object.entries(expectedCounts())) {
      const [area = ''] = labels.split(' ')
      expected[area] = (expected[area] ?? 0) + count
    }
    expected.getAccount! += 2
    expect(counts).toEqual(expected)
    for (const [area, count] of Object.entries(expected)) {
      const own = buckets.filter(({ labels }) => labels.operation === area).map(({ value }) => value)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
      expect(own.at(-1)).toBe(count)
      expect(sums[area]).toBeGreaterThan(0)
      expect(sums[area]).toBeLessThan(count * 5)
    }
  })

  test('hold no secret and nothing that a caller chose', () => {
    const keys = [secretKey, publishableKey, expiredKey, unknownKey, token]
    for (const word of [...keys, ...Object.values(codes), secret, 'ada@example.com', 'nowhere'])
      expect(text, word).not.toContain(word)
  })
})

test('show which version runs, and how busy its event loop is', async () => {
  const { metrics } = await started()
  const before = valuesOf(await metrics(), 'saleproof_event_loop_seconds_total')
  const text = await metrics()
  const after = valuesOf(text, 'saleproof_event_loop_seconds_total')
  expect(after.active).toBeGreaterThan(before.active!)
  expect(after.idle).toBeGreaterThanOrEqual(before.idle!)
  expect(valuesOf(text, 'saleproof_build_info')).toEqual({ [version]: 1 })
  expect(valuesOf(text, 'saleproof_processes')).toEqual({ '': 1 })
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect(Object.values(valuesOf(text, name))[0], name).toBeGreaterThan(0)
})

test.each(['on', 'off'])('count the results of each limit with the fast path %s', async (fastPath) => {
  const limits = { SALEPROOF_RATE_LIMIT: '12/3600', SALEPROOF_FAILURE_LIMIT: '4/3600' }
  const { service, metrics } = await started({ SALEPROOF_FAST_PATH: fastPath, ...limits })
  for (let count = 0; count < 7; count++) await service.request(validate(`${secret}-${count}`))
  for (let count = 0; count < 11; count++) await service.request(get(getAccount.path))
  const text = await metrics()
  expect(valuesOf(text, 'saleproof_rate_limit_results_total')).toEqual({
    'requests allowed': 7 + 8,
    'requests limited': 3,
    'failures allowed': 4,
    'failures limited': 3,
    'key-failures allowed': 4,
  })
  expect(valuesOf(text, 'saleproof_requests_total')).toMatchObject({
    'validatePurchase 404 purchase_not_found': 4,
    'validatePurchase 429 rate_limited': 3,
    'getAccount 200 none': 8,
    'getAccount 429 rate_limited': 3,
  })
})

test.each(['on', 'off'])('describe the database with the fast path %s', async (fastPath) => {
  const { service, metrics } = await started({ SALEPROOF_FAST_PATH: fastPath })
  const queries = async () => {
    const { fast_path: hot = 0, prisma = 0 } = valuesOf(await metrics(), 'saleproof_database_queries_total')
    return { hot, prisma }
  }
  const ask = async (times: number) => {
    const before = await queries()
    for (let count = 0; count < times; count++) await service.request(get(`${getItem.path}?item_id=5`))
    const after = await queries()
    return { hot: after.hot - before.hot, prisma: after.prisma - before.prisma }
  }
  await ask(1)
  const once = await ask(1)
  expect(once).toEqual(fastPath === 'on' ? { hot: 1, prisma: 0 } : { hot: 0, prisma: once.prisma })
  expect(once.hot + once.prisma).toBeGreaterThan(0)
  expect(await ask(10)).toEqual({ hot: once.hot * 10, prisma: once.prisma * 10 })

  const sizes = valuesOf(await metrics(), 'saleproof_database_file_bytes')
  const [free] = Object.values(valuesOf(await metrics(), 'saleproof_database_disk_free_bytes'))
  const { place } = service.opened
  if (place.kind === 'postgresql') {
    expect(sizes.main).toBeGreaterThan(1e6)
    expect(free).toBeUndefined()
  } else {
    expect(sizes.main).toBe(statSync(place.file).size)
    expect(sizes.wal).toBe(statSync(`${place.file}-wal`).size || undefined)
    expect(free).toBeGreaterThan(0)
  }

  expect(valuesOf(await metrics(), 'saleproof_database_errors_total')).toEqual({})
  await sql(service, 'ALTER TABLE "Item" RENAME TO elsewhere')
  for (let count = 0; count < 3; count++) await service.request(get(`${getItem.path}?item_id=101`))
  const text = await metrics()
  expect(valuesOf(text, 'saleproof_requests_total')['getItem 503 unavailable']).toBe(3)
  expect(valuesOf(text, 'saleproof_database_errors_total')).toEqual(onPostgres ? { schema: 3 } : { other: 3 })
})

test('count the connections that are open', async () => {
  const { service, metrics } = await started()
  const connections = async () => Object.values(valuesOf(await metrics(), 'saleproof_connections'))[0]
  const port = Number(new URL(service.url).port)
  const sockets = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket))
        }),
    ),
  )
  // The fourth is the one that asks.
  await expect.poll(connections).toBe(4)
  for (const socket of sockets) socket.destroy()
  await expect.poll(connections).toBe(1)
})
