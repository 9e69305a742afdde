import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@saleproof/schema'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readBody } from '../../http/body.ts'
import { createProxies } from '../../http/proxies.ts'
import { createPublicAddress } from '../../http/public-address.ts'
import { createRequestIds } from '../../http/request-id.ts'
import type { RequestContext } from '../../http/state.ts'
import { createLocalBudget } from '../../rate-limit/budget.ts'
import { createLimits } from '../../rate-limit/limits.ts'
import { createFastPath, type FastPathOptions } from './fast-path.ts'
import type { Resolver } from './resolver.ts'

function fail(): never {
  throw new Error('a part that fails')
}

const refusing: Resolver['find'] = () => ({ response: 'invalid_api_key', key: undefined })

interface Parts extends Partial<Pick<FastPathOptions, 'observe' | 'draining'>> {
  find?: Resolver['find']
}

/** Sends a validation to a fast path of some parts, and gives the response, what the routes behind it read, and what was logged. */
async function validate({ find = refusing, observe = () => {}, draining = () => false }: Parts) {
  const proxies = createProxies(0)
  const now = Date.now
  const logged: string[] = []
  const fastPath = createFastPath({
    resolver: { find, reads: () => 0, close() {} },
    logger: pino({ base: null }, { write: (line) => void logged.push(line) }),
    draining,
    observe,
    proxies,
    address: createPublicAddress({ publicUrl: undefined, listening: () => 'http://127.0.0.1', proxies }),
    requestIdFor: createRequestIds((id) => id),
    defaults: { locale: 'en' },
    limits: createLimits({
      limits: { requests: undefined, failures: undefined, 'key-failures': undefined, 'sign-ins': undefined },
      budget: (_, limit) => createLocalBudget({ limit, now }),
      now,
      knownCodes: { note() {}, has: async () => false },
    }),
  })
  const read: unknown[] = []
  async function routes(req: IncomingMessage, response: ServerResponse) {
    read.push(await readBody({ req } as RequestContext).catch(String))
    if (!response.headersSent) response.writeHead(500)
    response.end()
  }
  const server = createServer(fastPath.inFrontOf(routes))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { status } = await fetch(`http://127.0.0.1:${port}${operations.validatePurchase.path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer some-key', 'content-type': 'application/json' },
    body: '{"purchase_code":"SOME-CODE"}',
  })
  return { status, read, logged }
}

const body = [['purchase_code', 'SOME-CODE']]

test.each<[string, Parts]>([
  ['throws before the body is read', { draining: fail }],
  ['throws', { find: fail }],
  ['rejects', { find: async () => fail() }],
])('the routes respond, and have the body, where a part %s', async (_, parts) => {
  expect(await validate(parts)).toEqual({ status: 500, read: [body], logged: [] })
})

test('the routes have nothing to do where a part throws after the response, which is logged', async () => {
  const { status, read, logged } = await validate({ observe: fail })
  expect([status, read]).toEqual([401, []])
  expect(logged).toEqual([
    expect.stringMatching(/"cause":{"name":"Error","frames":\[" {4}at fail .*"unexpected error"/),
  ])
  expect(logged.join()).not.toContain('a part that fails')
})
