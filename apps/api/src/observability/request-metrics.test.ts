import { errorCodes, operationList } from '@saleproof/schema'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { RequestEvent } from '../http/request-event.ts'
import { createRequestMetrics } from './request-metrics.ts'

const areas = {
  '/healthz': 'health',
  '/readyz': 'health',
  '/metrics': 'metrics',
  '/admin/import': 'import',
  '/console/api/session': 'console',
  '/docs/:file': 'docs',
  '/openapi.json': 'docs',
}
const names = operationList.map(({ name }) => name)
const event: fc.Arbitrary<RequestEvent> = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom(null, '/nowhere', ...Object.keys(areas)),
  operation: fc.constantFrom(undefined, ...names),
  status: fc.constantFrom(200, 304, 401, 404, 429),
  code: fc.option(fc.constantFrom(...errorCodes), { nil: null }),
  durationMs: fc.oneof(fc.double({ min: 0, max: 20_000, noNaN: true }), fc.constantFrom(0.1, 1, 5000)),
  requestId: fc.constant('a-request-id'),
  workspace: fc.constant(1234567),
  keyId: fc.constant('a-key-id'),
  clientAddress: fc.constant(undefined),
  refusedKey: fc.constant(undefined),
  rawHeaders: fc.constant([]),
  validated: fc.constant(undefined),
  sentCode: fc.constant(undefined),
})

const labelOf = ({ operation, route }: RequestEvent) =>
  operation ?? areas[route as keyof typeof areas] ?? 'other'

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** The lines of the text format that are not comments. */
const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })

test('counters and histograms are what was observed', async () => {
  const property = fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (observed) => {
    const registry = new Registry()
    const observe = createRequestMetrics(registry)
    for (const one of observed) observe(one)
    // Asked twice, so that asking counts nothing.
    await registry.metrics()
    const text = await registry.metrics()
    const samples = samplesOf(text)
    const counted = samples.filter(({ name }) => name === 'saleproof_requests_total')
    for (const { labels, value } of counted) {
      const same = observed.filter(
        (one) =>
          labelOf(one) === labels.operation &&
          `${one.status}` === labels.status &&
          (one.code ?? 'none') === labels.code,
      )
      expect(value).toBe(same.length)
    }
    expect(counted.reduce((sum, { value }) => sum + value, 0)).toBe(observed.length)
    for (const operation of [...names, ...Object.values(areas), 'other'])
      checkHistogram(samples, operation, observed)
    for (const secret of ['a-request-id', '1234567', 'a-key-id']) expect(text).not.toContain(secret)
  })
  await fc.assert(property)
})

function checkHistogram(samples: readonly Sample[], operation: string, observed: readonly RequestEvent[]) {
  const seconds = observed
    .filter((one) => labelOf(one) === operation)
    .map(({ durationMs }) => durationMs / 1000)
  const own = samples.filter(
    ({ name, labels }) =>
      labels.operation === operation && name.startsWith('saleproof_request_duration_seconds_'),
  )
  const of = (suffix: string) => own.filter(({ name }) => name.endsWith(suffix))
  expect(of('_count').map(({ value }) => value)).toEqual([seconds.length])
  expect(of('_sum')[0]!.value).toBeCloseTo(
    seconds.reduce((sum, value) => sum + value, 0),
    6,
  )
  const buckets = of('_bucket')
  expect(buckets.length).toBeGreaterThan(5)
  for (const { labels, value } of buckets) {
    const most = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
    expect(value, `le ${labels.le}`).toBe(seconds.filter((one) => one <= most).length)
  }
  expect(buckets.map(({ value }) => value)).toEqual(
    buckets.map(({ value }) => value).toSorted((a, b) => a - b),
  )
}
