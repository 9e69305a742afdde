import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { processOf, send } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { get, metricsToken, valuesOf } from '../support/metrics-traffic.ts'
import { spawnSaleproof } from '../support/process.ts'
import { codes } from '../support/records.ts'
import { collecting, useTracing } from './use-tracing.ts'

// What is between the service and its collector, whatever the database.

const { place, traced, modulesOf } = useTracing()

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
  await expect.poll(failed).toBeGreaterThan(0)
  const { code, ms } = await server.stop()
  expect(code).toBe(0)
  expect(ms).toBeLessThan(20_000)
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
  await expect.poll(() => collector.requests.length).toBeGreaterThan(0)
  const { code, ms } = await server.stop()
  expect(code).toBe(0)
  // The exporter itself would wait ten seconds for an answer, and then ask again.
  expect(ms).toBeLessThan(9000)
})

/** The tracing modules among them; prom-client loads @opentelemetry/api, which does nothing by itself. */
const tracingModulesOf = async (env: Record<string, string>) =>
  (await modulesOf(env)).filter((line) => /@opentelemetry\/(?!api\/)|\/dist\/tracing-/.test(line))

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
    cwd: place().folder,
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
