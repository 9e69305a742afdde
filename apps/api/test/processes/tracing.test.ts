import { operations } from '@saleproof/schema'
import { describe, expect, test } from 'vitest'
import { version } from '../../src/package.ts'
import { send, sendRaw } from '../support/client.ts'
import type { CollectedSpan } from '../support/collector.ts'
import { changeIn, onPostgres } from '../support/database.ts'
import { ndjson } from '../support/harness.ts'
import {
  expectedCounts,
  get,
  metricsToken,
  requests,
  secret,
  unknownKey,
} from '../support/metrics-traffic.ts'
import { codes, expiredKey, publishableKey, records, secretKey } from '../support/records.ts'
import { adminToken, collecting, useTracing } from './use-tracing.ts'

const { place, traced, modulesOf } = useTracing()

const labelsOf = ({ attributes }: CollectedSpan) => {
  const { 'http.route': route, 'saleproof.operation': operation, 'saleproof.error_code': code } = attributes
  return [operation ?? route ?? 'no route', attributes['http.response.status_code'], code ?? 'none'].join(' ')
}

function countsOf(spans: readonly CollectedSpan[]) {
  const counts: Record<string, number> = {}
  for (const span of spans) counts[labelsOf(span)] = (counts[labelsOf(span)] ?? 0) + 1
  return counts
}

/** As they are counted in the metrics, but for the names of what is no operation. */
function expectedSpans() {
  const { 'health 200 none': _, 'docs 200 none': __, ...counts } = expectedCounts()
  const routes = {
    'other 404 route_not_found': 'no route 404 route_not_found',
    'docs 405 method_not_allowed': '/openapi.json 405 method_not_allowed',
    'metrics 401 missing_api_key': '/metrics 401 missing_api_key',
  }
  const named = Object.entries(counts).map(([labels, count]) => [
    routes[labels as keyof typeof routes] ?? labels,
    count,
  ])
  return {
    ...Object.fromEntries(named),
    '/healthz 200 none': 2,
    '/readyz 200 none': 1,
    '/docs/errors 200 none': 1,
  }
}

describe.each([
  ['on', 'http/protobuf'],
  ['off', 'http/json'],
])('with the fast path %s, over %s', (fastPath, protocol) => {
  test('each request is one span that says what was answered, and nothing that was sent', async () => {
    const collector = await collecting()
    const env = { SALEPROOF_FAST_PATH: fastPath, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }
    const server = await traced(collector.url, env)
    for (const sent of requests) await send(server.url, sent)
    await sendRaw(server.url, 'BREW /api/pot-of-tea HTTP/1.1\r\nhost: x\r\n\r\n')
    expect((await server.stop()).code).toBe(0)

    const spans = collector.spans.filter(({ kind }) => kind === 'server')
    expect(countsOf(spans)).toEqual({ ...expectedSpans(), 'no route 400 malformed_request': 1 })
    for (const { attributes, name, failed, parentSpanId, resource, durationMs } of spans) {
      const route = attributes['http.route']
      const method = attributes['http.request.method']
      expect(name).toBe([method === '_OTHER' ? 'HTTP' : method, route].filter(Boolean).join(' '))
      expect(attributes['url.path']).toBe(String(route).includes(':') ? undefined : route)
      const { hostname, port } = new URL(server.url)
      expect(attributes).toMatchObject({
        'url.scheme': 'http',
        'server.address': hostname,
        'server.port': Number(port),
      })
      expect({ failed, parentSpanId }).toEqual({ failed: false, parentSpanId: '' })
      expect(durationMs).toBeLessThan(60_000)
      expect(resource).toMatchObject({ 'service.name': 'saleproof', 'service.version': version })
    }
    const ids = new Set(collector.spans.map(({ spanId }) => spanId))
    expect(ids.size).toBe(collector.spans.length)

    const calls = collector.spans.filter(({ kind }) => kind === 'client')
    if (fastPath === 'off') expect(calls.length).toBeGreaterThan(20)
    const parents = new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`))
    for (const { attributes, name, traceId, parentSpanId } of calls) {
      expect(parents.has(`${traceId} ${parentSpanId}`)).toBe(true)
      const { 'db.operation.name': operation, 'db.collection.name': model } = attributes
      expect(attributes).toEqual({
        'db.system.name': onPostgres ? 'postgresql' : 'sqlite',
        'db.operation.name': operation,
        'db.collection.name': model,
      })
      expect(name).toBe(`${operation} ${model}`)
    }

    const sent = collector.requests.map(({ bytes }) => bytes.toString('latin1')).join('\n')
    const keys = [secretKey, publishableKey, expiredKey, unknownKey, metricsToken, adminToken]
    const addresses = ['ada@example.com', 'hi@example.com', 'nowhere', 'item_id', 'pot-of-tea', 'BREW']
    for (const word of [...keys, ...Object.values(codes), secret, ...addresses])
      expect(sent, word).not.toContain(word)
    expect(collector.requests.every(({ path }) => path === '/v1/traces')).toBe(true)
  })
})

test('what the database fails with is reported by its kind', async () => {
  const collector = await collecting()
  const server = await traced(collector.url, { SALEPROOF_FAST_PATH: 'off' })
  await changeIn(place(), 'ALTER TABLE "Item" RENAME TO elsewhere')
  const answer = await send(server.url, get(operations.listItems.path))
  await changeIn(place(), 'ALTER TABLE elsewhere RENAME TO "Item"')
  expect(answer.status).toBe(503)
  expect((await server.stop()).code).toBe(0)
  const request = collector.spans.find(({ kind }) => kind === 'server')!
  expect(request).toMatchObject({ failed: true, attributes: { 'error.type': 'unavailable' } })
  const failed = collector.spans.filter((span) => span.kind === 'client' && span.failed)
  const type = onPostgres ? 'schema' : 'other'
  expect(failed).toMatchObject([{ parentSpanId: request.spanId, attributes: { 'error.type': type } }])
})

test('an import has a span', async () => {
  const collector = await collecting()
  const server = await traced(collector.url)
  const load = (body: string) =>
    send(server.url, {
      method: 'POST',
      path: '/admin/import',
      body,
      headers: { authorization: `Bearer ${adminToken}` },
    })
  const spansOf = (answered: number) => {
    const { traceId } = collector.spans.find(
      (span) => span.attributes['http.response.status_code'] === answered,
    )!
    const spans = collector.spans.filter((span) => span.traceId === traceId && span.kind === 'client')
    return spans.map(({ name, failed, attributes }) => ({ name, failed, type: attributes['error.type'] }))
  }
  const purchase = { ...records.at(-1), purchase_code: 'HHHH-0000-sold-elsewhere' }
  expect((await load(ndjson([purchase]))).status).toBe(200)
  expect((await load('{"type":"purchase"}\n')).status).toBe(422)
  expect((await server.stop()).code).toBe(0)
  expect(spansOf(200)).toEqual([{ name: 'import', failed: false, type: undefined }])
  expect(spansOf(422)).toEqual([{ name: 'import', failed: true, type: 'refused' }])
  for (const { bytes } of collector.requests)
    expect(bytes.toString('latin1')).not.toContain('HHHH-0000-sold-elsewhere')
})

test('nothing of Redis is loaded without a server of it, and of the drivers the one of the database', async () => {
  const modules = await modulesOf({ SALEPROOF_RATE_LIMIT: '6/60' })
  const loads = (path: string) => modules.some((line) => line.includes(`/node_modules/${path}/`))
  expect({ sqlite: loads('better-sqlite3'), postgres: loads('pg') }).toEqual({
    sqlite: !onPostgres,
    postgres: onPostgres,
  })
  expect(modules.filter((line) => /ioredis/.test(line))).toEqual([])
})
