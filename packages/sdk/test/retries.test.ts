import { expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import { apiKey, bodies, code, refusal } from './records.ts'
import { type Reply, serve } from './server.ts'

const down: Reply = { status: 503, body: refusal('Service unavailable') }
const busy = (retryAfter: string): Reply => ({
  status: 429,
  headers: { 'retry-after': retryAfter, 'x-error-code': 'rate_limited' },
  body: refusal('Too many requests'),
})

it.each([408, 425, 429, 500, 502, 503, 504])('tries again after %i', async (status) => {
  await using server = await serve((_, count) =>
    count === 1 ? { status, body: refusal() } : { body: bodies.purchase },
  )
  expect(await server.client({ maxRetries: 2 }).checkPurchase(code)).toMatchObject({
    outcome: 'valid',
  })
  expect(server.received).toHaveLength(2)
})

it.each([400, 401, 403, 404, 405, 413, 415, 501])('does not try again after %i', async (status) => {
  await using server = await serve(() => ({ status, body: refusal() }))
  const call = server.client({ maxRetries: 2 }).getItem(1)
  await expect(call).rejects.toMatchObject({ status, retryable: false })
  expect(server.received).toHaveLength(1)
})

it('tries again after a lost connection and after a timeout', async () => {
  await using server = await serve((_, count) => {
    if (count === 1) return (response) => void response.destroy()
    return count === 2 ? 'hang' : { body: bodies.purchase }
  })
  const client = server.client({ maxRetries: 2, timeoutMs: 500 })
  expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  expect(server.received).toHaveLength(3)
})

it('waits as long as Retry-After says, in seconds or until a date, and no shorter', async () => {
  for (const header of ['1', new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000).toUTCString()]) {
    const until = header === '1' ? Date.now() + 1_000 : Date.parse(header)
    await using server = await serve((_, count) => (count === 1 ? busy(header) : { body: bodies.purchase }))
    expect(await server.client({ maxRetries: 1 }).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
    expect(Date.now()).toBeGreaterThanOrEqual(until - 2)
  }
})

it('gives up at once when Retry-After does not fit into the total timeout', async () => {
  await using server = await serve(() => busy('3600'))
  const start = performance.now()
  expect(await server.client({ maxRetries: 3 }).checkPurchase(code)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'rate_limited', retryAfterMs: 3_600_000, retryable: true },
  })
  expect(server.received).toHaveLength(1)
  expect(performance.now() - start).toBeLessThan(10_000)
})

/** The least of five: what else the machine does only ever adds. */
async function least(measure: () => Promise<number>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) fastest = Math.min(fastest, await measure())
  return fastest
}

it('ends at the total timeout in every state', async () => {
  await using server = await serve((_, count) => (count % 2 ? down : 'hang'))
  const took = await least(async () => {
    const start = performance.now()
    const client = server.client({ maxRetries: 9, timeoutMs: 5_000, totalTimeoutMs: 400 })
    await expect(client.getAccount()).rejects.toMatchObject({ retryable: true })
    return performance.now() - start
  })
  expect(took).toBeLessThan(600)
})

it('ends at its timeouts even when fetch, body and key function ignore the signal', async () => {
  const never = new Promise<never>(() => {})
  const body = () => new Response(new ReadableStream({ pull: () => never }))
  const common = { baseUrl: 'https://market.example.com', apiKey, maxRetries: 0, timeoutMs: 50 }
  for (const options of [
    { ...common, fetch: () => never },
    { ...common, fetch: async () => body() },
    { ...common, apiKey: () => never, fetch: async () => body() },
  ]) {
    const took = await least(async () => {
      const start = performance.now()
      await expect(createClient(options).getAccount()).rejects.toMatchObject({ kind: 'timeout' })
      return performance.now() - start
    })
    expect(took).toBeLessThan(200)
  }
})

it('stops reading a body without end', async () => {
  let sent = 0
  let cancelled = false
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(32))
    },
    cancel() {
      cancelled = true
    },
  })
  const client = createClient({
    baseUrl: 'https://market.example.com',
    apiKey,
    fetch: async () => new Response(endless),
  })
  await expect(client.getAccount()).rejects.toMatchObject({ kind: 'invalid_response', code: 'too_large' })
  expect(cancelled).toBe(true)
  expect(sent).toBeLessThanOrEqual(1_048_576 + 3 * 65_536)
})

it('rejects within 5 ms when the caller aborts a wait', async () => {
  await using server = await serve(() => busy('2'))
  const took = await least(async () => {
    const controller = new AbortController()
    const call = server.client({ maxRetries: 2 }).checkPurchase(code, { signal: controller.signal })
    const rejection = expect(call).rejects.toMatchObject({ kind: 'aborted' })
    await new Promise((resolve) => setTimeout(resolve, 150))
    const start = performance.now()
    controller.abort()
    await rejection
    return performance.now() - start
  })
  expect(took).toBeLessThan(5)
  expect(server.received).toHaveLength(5)
})

it('leaves no listener on the signal of the caller and no timer', async () => {
  await using server = await serve((_, count) => (count % 2 ? down : { body: bodies.purchase }))
  const { signal } = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1
    return addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1
    return removeEventListener.apply(signal, args)
  }
  await server.client({ maxRetries: 1 }).checkPurchase(code, { signal })
  expect(listeners).toBe(0)
})

it('has one budget of retries for the whole client, of which a success gives back a tenth', async () => {
  let isDown = true
  await using server = await serve(() => (isDown ? down : { body: bodies.purchase }))
  const client = server.client({ maxRetries: 9, totalTimeoutMs: 60_000 })
  await Promise.all(Array.from({ length: 5 }, () => client.checkPurchase(code)))
  expect(server.received).toHaveLength(5 + 10)
  await client.checkPurchase(code)
  expect(server.received).toHaveLength(5 + 10 + 1)
  for (const [successes, retries] of [
    [9, 0],
    [2, 1],
    [200, 10],
  ] as const) {
    isDown = false
    for (let success = 0; success < successes; success += 1) await client.checkPurchase(code)
    isDown = true
    const before = server.received.length
    await Promise.all(Array.from({ length: 5 }, () => client.checkPurchase(code)))
    expect(server.received.length - before).toBe(5 + retries)
  }
})

it('asks the function for the key before each attempt', async () => {
  await using server = await serve((_, count) => (count === 1 ? down : { body: bodies.purchase }))
  const keys = ['first-key-0123456789', 'second-key-0123456789']
  const client = server.client({ maxRetries: 1, apiKey: async () => keys.shift()! })
  expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer first-key-0123456789',
    'Bearer second-key-0123456789',
  ])
})

it.each(['', ' ', undefined, null, {}, 'two\nlines', 'x'.repeat(256)])(
  'is unknown when the key function returns %j',
  async (key) => {
    const fetch = () => expect.unreachable()
    const options = {
      baseUrl: 'https://market.example.com',
      apiKey: () => key as string,
      fetch,
      maxRetries: 0,
    }
    expect(await createClient(options).checkPurchase(code)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'connection', code: 'key_unavailable', retryable: true },
    })
  },
)

it('is unknown when the key function fails', async () => {
  const client = createClient({
    baseUrl: 'https://market.example.com',
    apiKey: () => Promise.reject(new Error(`vault says ${apiKey}`)),
    maxRetries: 0,
  })
  expect(await client.checkPurchase(code)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'connection', code: 'key_unavailable', retryable: true },
  })
})
