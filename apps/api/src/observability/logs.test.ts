import { errorCodes, operationList } from '@saleproof/schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestEvent } from '../http/request-event.ts'
import { createRequestLog } from './logs.ts'

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/)
const workspace = fc.nat()

const event: fc.Arbitrary<RequestEvent> = fc.record({
  method: orNull(fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'M-SEARCH')),
  route: orNull(fc.constantFrom(...operationList.map(({ path }) => path), '/docs/:file', '/healthz')),
  operation: fc.constantFrom(undefined, ...operationList.map(({ name }) => name)),
  status: fc.integer({ min: 200, max: 599 }),
  code: orNull(fc.constantFrom(...errorCodes)),
  durationMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
  requestId: id,
  workspace: orNull(workspace),
  keyId: fc.option(id, { nil: undefined }),
  clientAddress: fc.option(fc.ipV4(), { nil: undefined }),
  refusedKey: fc.option(fc.record({ keyId: id, workspaceId: workspace }), { nil: undefined }),
  rawHeaders: fc.array(id),
  validated: fc.constant(undefined),
  sentCode: fc.constant(undefined),
})

test('each line is JSON and says what was observed, but for the key', () => {
  const lines: string[] = []
  let time = 0
  const log = createRequestLog({ write: (line) => void lines.push(line), now: () => time })
  const timestamp = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4e12 }))
  const property = fc.property(event, timestamp, (observed, now) => {
    time = now
    log(observed)
    const line = lines.pop()!
    expect(line.endsWith('}\n')).toBe(true)
    expect(line.slice(0, -1)).not.toContain('\n')
    const { method, route, status, code, durationMs, requestId, workspace } = observed
    const parsed = JSON.parse(line)
    expect(parsed).toEqual({
      level: 30,
      time: new Date(now).toISOString(),
      method,
      route,
      status,
      code,
      durationMs: parsed.durationMs,
      requestId,
      workspace,
      msg: 'request',
    })
    expect(Math.abs(parsed.durationMs - durationMs)).toBeLessThanOrEqual(0.0005 + durationMs * 1e-12)
    expect(lines).toEqual([])
  })
  fc.assert(property, { numRuns: 1000 })
})
