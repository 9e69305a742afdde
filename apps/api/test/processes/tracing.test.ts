import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/package.ts'
import { processOf, send, sendRaw } from '../support/client.ts'
import { type CollectedSpan, startCollector } from '../support/collector.ts'
import { changeIn, onPostgres } from '../support/database.ts'
import { packageRoot } from '../support/folders.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import {
  expectedCounts,
  get,
  metricsToken,
  requests,
  secret,
  unknownKey,
  valuesOf,
} from '../support/metrics-traffic.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { codes, expiredKey, publishableKey, records, secretKey } from '../support/records.ts'

const adminToken = 'a-token-of-the-shop-elsewhere'

let loaded: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  loaded = await temporaryFolder()
  const { code } = await spawnSaleproof(['import', '-'], { cwd: loaded.folder, input: ndjson(records) })
  expect(code).toBe(0)
})
afterAll(() => loaded.remove())

async function started(env: Record<string, string>) {
  const own = { SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off', METRICS_TOKEN: metricsToken }
  const server = await spawnServe({ cwd: loaded.folder, env: { ...own, ADMIN_TOKEN: adminToken, ...env } })
  onTestFinished(() => void server.signal('SIGKILL'))
  return {
    ...server,
    /** Ends it as an operator does, and gives the exit code and how long it took. */
    async stop() {
      const at = performance.now()
      server.signal('SIGTERM')
      return { code: (await server.done).code, ms: performance.now() - at }
    },
  }
}

async function collecting(answer?: Parameters<typeof startCollector>[0]) {
  const collector = await startCollector(answer)
  onTestFinished(() => collector.close())
  return collector
}

const traced = (url: string, env: Record<string, string> = {}) =>
  started({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50', ...env })

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

test('the trace of the caller is continued, and of its headers nothing else is kept', async () => {
  const collector = await collecting()
  const server = await traced(collector.url)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'
  const ask = (traceparent: string, more: Record<string, string> = {}) => {
    const request = get(operations.getAccount.path)
    return send(server.url, { ...request, headers: { ...request.headers, traceparent, ...more } })
  }
  const free = `a-tracestate-with-${codes.active}`
  await ask(`00-${traceId}-${parent}-01`, {
    tracestate: `vendor=${free}`,
    baggage: `code=${free}`,
    'user-agent': free,
    'x-request-id': free,
  })
  await ask('not-a-traceparent')
  // The caller has decided that this one is not traced.
  await ask(`00-${'1'.repeat(32)}-${parent}-00`)
  expect((await server.stop()).code).toBe(0)
  const [first, second, ...others] = collector.spans
  expect(others).toEqual([])
  expect(first).toMatchObject({ traceId, parentSpanId: parent, traceState: '' })
  expect(first!.attributes['saleproof.request_id']).toMatch(/^[\w-]+\.[\w-]{16}$/)
  expect(second!.traceId).not.toBe(traceId)
  expect(second).toMatchObject({ parentSpanId: '' })
  expect(second!.attributes['saleproof.request_id']).toMatch(/^[\w.-]+$/)
  for (const { bytes } of collector.requests) expect(bytes.toString('latin1')).not.toContain(free)
})

test('what the database fails with is reported by its kind', async () => {
  const collector = await collecting()
  const server = await traced(collector.url, { SALEPROOF_FAST_PATH: 'off' })
  await changeIn(loaded, 'ALTER TABLE "Item" RENAME TO elsewhere')
  const answer = await send(server.url, get(operations.listItems.path))
  await changeIn(loaded, 'ALTER TABLE elsewhere RENAME TO "Item"')
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

test('the variables of OpenTelemetry are honoured', async () => {
  const collector = await collecting()
  const server = await traced('http://127.0.0.1:9', {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/of/our/own`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop,authorization=Bearer%20of-the-collector',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_SERVICE_NAME: 'shop-api',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=ignored',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  })
  for (let count = 0; count < 200; count++) await send(server.url, { path: '/healthz' })
  expect((await server.stop()).code).toBe(0)
  expect(collector.spans.length).toBeGreaterThan(50)
  expect(collector.spans.length).toBeLessThan(150)
  expect(collector.spans[0]!.resource).toMatchObject({
    'service.name': 'shop-api',
    'deployment.environment.name': 'test',
  })
  expect(collector.requests[0]).toMatchObject({
    path: '/of/our/own',
    headers: {
      'x-tenant': 'shop',
      authorization: 'Bearer of-the-collector',
      'content-encoding': 'gzip',
    },
  })
})

test('every process sends what it has when it stops', async () => {
  const collector = await collecting()
  // Neither time nor a full batch sends any before that.
  const server = await traced(collector.url, {
    WEB_CONCURRENCY: '2',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_BSP_MAX_QUEUE_SIZE: '100000',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100000',
  })
  const processes = new Set<string>()
  let sent = 0
  while (processes.size < 2 || sent < 50) {
    const { headers } = await send(server.url, { path: '/healthz' })
    processes.add(processOf({ headers }))
    sent++
    if (processes.size < 2) await sleep(10)
  }
  expect(collector.spans).toEqual([])
  expect((await server.stop()).code).toBe(0)
  expect(collector.spans).toHaveLength(sent)
  const instances = collector.spans.map(({ resource }) => resource['service.instance.id'])
  expect(new Set(instances).size).toBe(2)
})

test.each<[string, Parameters<typeof startCollector>[0] | 'away']>([
  ['is away', 'away'],
  ['never answers', () => 'nothing'],
  ['refuses', () => 400],
  ['is overloaded', () => 503],
])('a collector that %s changes no answer and delays no end', async (_, answer) => {
  const collector = await startCollector(answer === 'away' ? undefined : answer)
  if (answer === 'away') await collector.close()
  else onTestFinished(() => collector.close())
  const server = await traced(collector.url, {
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1500',
  })
  const failed = async () => {
    const { text } = await send(server.url, {
      path: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    return valuesOf(text, 'saleproof_trace_spans_total').failed ?? 0
  }
  for (let count = 0; count < 100; count++) {
    const { status } = await send(server.url, get(operations.getAccount.path))
    expect(status).toBe(200)
  }
  await expect.poll(failed, { timeout: 20_000 }).toBeGreaterThan(0)
  const { code, ms } = await server.stop()
  expect(code).toBe(0)
  expect(ms).toBeLessThan(10_000)
  const summary = server.output.stdout
    .split('\n')
    .filter((line) => line.includes('traces could not be sent to the collector'))
  expect(summary).toHaveLength(1)
  expect(server.output.stderr).toMatch(/^listening on \S+\n$/)
})

test('a collector that takes all and never answers does not keep the process', async () => {
  const collector = await collecting(() => 'nothing')
  const server = await traced(collector.url)
  for (let count = 0; count < 20; count++) await send(server.url, { path: '/healthz' })
  await expect.poll(() => collector.requests.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const { code, ms } = await server.stop()
  expect(code).toBe(0)
  // The exporter itself would wait ten seconds for an answer, and then ask again.
  expect(ms).toBeLessThan(9000)
})

/** The modules that a start and a request load. */
async function modulesOf(env: Record<string, string>) {
  const hook = pathToFileURL(join(packageRoot, 'test/processes/log-modules.fixture.mjs')).href
  const server = await started({ ...env, NODE_OPTIONS: `--import=${hook}` })
  await send(server.url, get(operations.getAccount.path))
  await server.stop()
  const modules = server.output.stderr.split('\n').filter((line) => line.startsWith('loaded '))
  expect(modules.length).toBeGreaterThan(100)
  return modules
}

/** The tracing modules among them; prom-client loads @opentelemetry/api, which does nothing by itself. */
const tracingModulesOf = async (env: Record<string, string>) =>
  (await modulesOf(env)).filter((line) => /@opentelemetry\/(?!api\/)|\/dist\/tracing-/.test(line))

test('nothing of Redis is loaded without a server of it, and of the drivers the one of the database', async () => {
  const modules = await modulesOf({ SALEPROOF_RATE_LIMIT: '6/60' })
  const loads = (path: string) => modules.some((line) => line.includes(`/node_modules/${path}/`))
  expect({ sqlite: loads('better-sqlite3'), postgres: loads('pg') }).toEqual({
    sqlite: !onPostgres,
    postgres: onPostgres,
  })
  expect(modules.filter((line) => /ioredis/.test(line))).toEqual([])
})

test('without a collector no tracing code is loaded', async () => {
  const collector = await collecting()
  expect(await tracingModulesOf({})).toEqual([])
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' }
  expect(await tracingModulesOf(off)).toEqual([])
  expect(
    await tracingModulesOf({ ...off, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'none' }),
  ).toEqual([])
  const on = await tracingModulesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  // The build bundles OpenTelemetry.
  expect(on).toEqual([expect.stringContaining('/dist/tracing-')])
})

test('a wrong variable stops the start', async () => {
  const { code, stderr } = await spawnSaleproof(['serve'], {
    cwd: loaded.folder,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
    },
  })
  expect(code).toBe(2)
  expect(stderr.split('\n')).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT takes the http(s) URL of an OpenTelemetry collector, such as http://127.0.0.1:4318',
    'OTEL_EXPORTER_OTLP_PROTOCOL takes one of http/protobuf, http/json',
    expect.stringMatching(/^OTEL_TRACES_SAMPLER takes one of always_on, /),
    'OTEL_TRACES_SAMPLER_ARG takes a number from 0 to 1',
    '',
  ])
})
