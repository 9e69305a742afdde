import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, connectToEach, type Sent } from '../support/client.ts'
import { saleproof } from '../support/command.ts'
import { ndjson, startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'
import { startRedis } from '../support/redis-server.ts'
import { startSlowNetwork } from '../support/slow-network.ts'

const password = 'a-password-that-nobody-may-see'
const account: Sent = { path: operations.getAccount.path, headers: { 'x-api-key': secretKey } }
const item = (id: number): Sent => ({ ...account, path: `${operations.getItem.path}?item_id=${id}` })
const limits = { SALEPROOF_RATE_LIMIT: '6/60', SALEPROOF_FAILURE_LIMIT: '2/60', TRUST_PROXY: '1' }

let redis: Awaited<ReturnType<typeof startRedis>>
let home: Awaited<ReturnType<typeof temporaryFolder>>
let services: TestService[]
beforeEach(async () => {
  redis = await startRedis({ password })
  home = await temporaryFolder()
  services = []
})
afterEach(async () => {
  for (const service of services) await service.close()
  await redis.stop()
  await home.remove()
})

/** A service on the one database of all. */
async function start(env: Record<string, string> = {}, more: { redisTimeoutMs?: number } = {}) {
  const service = await startService({
    ...more,
    records: services.length ? [] : records,
    folder: home.folder,
    env: { REDIS_URL: redis.url, ...limits, ...env },
  })
  services.push(service)
  return service
}

async function times(count: number, ask: (index: number) => Promise<Answer>) {
  const answers: Answer[] = []
  for (let index = 0; index < count; index++) answers.push(await ask(index))
  return answers
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)

/** The lines of the log that are not about a request. */
const outages = ({ logs }: TestService) =>
  logs.map((line) => JSON.parse(line)).filter(({ msg }) => /Redis/.test(msg ?? ''))

/** Asks until limits hold again, at most as long as a caller would bear. */
async function untilLimited({ request }: TestService) {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    if ((await request(account)).headers.ratelimit !== undefined) return
    await sleep(50)
  }
  expect.unreachable('limits did not come back')
}

describe.each(['on', 'off'])('with the fast path %s', (fastPath) => {
  /** On a busy machine an answer may take longer than a request waits; here it is counts that matter. */
  const patient = () => start({ SALEPROOF_FAST_PATH: fastPath }, { redisTimeoutMs: 20_000 })

  test('two services count together, and say the same as one that counts alone', async () => {
    const [one, two] = [await patient(), await patient()]
    const answers = await times(6, (index) => (index % 2 ? one : two).request(account))
    expect(statusesOf(answers)).toEqual(Array(6).fill(200))
    for (const [index, { headers }] of answers.entries()) {
      expect(headers['ratelimit-policy']).toBe('"requests";q=6;w=60')
      expect(headers.ratelimit).toMatch(new RegExp(`^"requests";r=${5 - index};t=(60|5\\d)$`))
    }
    for (const service of [one, two]) {
      const refused = await service.request(account)
      expect([refused.status, refused.headers['x-error-code']]).toEqual([429, 'rate_limited'])
      const wait = Number(refused.headers['retry-after'])
      expect(wait).toBeGreaterThan(50)
      expect(refused.headers.ratelimit).toBe(`"requests";r=0;t=${wait}`)
    }
    const elsewhere = { ...account, headers: { ...account.headers, 'x-forwarded-for': '192.0.2.9' } }
    expect((await two.request(elsewhere)).headers.ratelimit).toMatch(/^"requests";r=5;t=(60|5\d)$/)
    expect([outages(one), outages(two)]).toEqual([[], []])
  })

  test('a failure that is one too many for both is none of the requests', async () => {
    const [one, two] = [await patient(), await patient()]
    const misses = await times(12, (index) => (index % 2 ? one : two).request(item(5)))
    expect(statusesOf(misses)).toEqual([404, 404, ...Array(10).fill(429)])
    expect(misses.at(-1)!.headers['ratelimit-policy']).toBe('"failures";q=2;w=60')
    const hits = await times(5, (index) => (index % 2 ? one : two).request(item(101)))
    expect(statusesOf(hits)).toEqual([200, 200, 200, 200, 429])
    expect(hits[3]!.headers.ratelimit).toMatch(/^"requests";r=0;/)
  })

  test('never more pass than the limit, however many ask at once', async () => {
    const [one, two] = [await patient(), await patient()]
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).request(account)),
    )
    const passed = answers.filter(({ status }) => status === 200)
    const left = passed.map(({ headers }) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]))
    expect(left.sort()).toEqual([0, 1, 2, 3, 4, 5])
  })
})

test('without Redis nothing is limited, which is logged once and without the password; it recovers by itself', async () => {
  const service = await start()
  expect((await service.request(account)).headers.ratelimit).toMatch(/^"requests";r=5;/)
  for (const outage of [1, 2]) {
    await redis.stop()
    const open = await times(20, () => service.request(account))
    expect(statusesOf(open)).toEqual(Array(20).fill(200))
    for (const { headers } of open) {
      expect(headers['ratelimit-policy']).toBe('"requests";q=6;w=60')
      expect(headers.ratelimit).toBeUndefined()
    }
    expect(outages(service)).toHaveLength(outage * 2 - 1)
    expect(outages(service).at(-1)).toMatchObject({
      level: 40,
      msg: 'Redis does not answer: nothing is limited until it does',
      cause: expect.stringMatching(/^(ECONNRESET|ECONNREFUSED|EPIPE|no answer)$/),
    })
    await redis.start()
    await untilLimited(service)
    expect(outages(service)).toHaveLength(outage * 2)
    expect(outages(service).at(-1)).toMatchObject({ level: 30, msg: 'Redis answers again: limits hold' })
    const refused = await times(8, () => service.request(account))
    expect(refused.at(-1)!.status).toBe(429)
  }
  expect(service.logs.join('')).not.toContain(password)
})

test('a Redis that is frozen delays one answer, and no other', async () => {
  const service = await start()
  await service.request(account)
  redis.freeze()
  const began = performance.now()
  const first = await Promise.all(Array.from({ length: 10 }, () => service.request(account)))
  expect(statusesOf(first)).toEqual(Array(10).fill(200))
  const open = await times(50, () => service.request(account))
  expect(statusesOf(open)).toEqual(Array(50).fill(200))
  expect(performance.now() - began).toBeLessThan(8000)
  expect(outages(service)).toHaveLength(1)
  expect(outages(service)[0].cause).toBe('ETIMEDOUT')
  redis.thaw()
  await untilLimited(service)
  expect(outages(service)).toHaveLength(2)
})

/** A service whose Redis responds after twice the delay at the earliest. */
async function startFarFromRedis(delayMs: number) {
  const network = await startSlowNetwork(redis.port, delayMs)
  return start({ REDIS_URL: redis.url.replace(`:${redis.port}`, `:${network.port}`) })
}

test('a Redis that responds after 40 ms is waited for', async () => {
  // A busy machine may add more than the 60 ms that are left, but not each time.
  await untilLimited(await startFarFromRedis(20))
})

test('a Redis that responds after 120 ms is not waited for', async () => {
  const service = await startFarFromRedis(60)
  const { headers } = await service.request(account)
  expect(headers.ratelimit).toBeUndefined()
  expect(outages(service).map(({ cause }) => cause)).toEqual(['ETIMEDOUT'])
})

test('a service starts without Redis, and limits when there is one', async () => {
  await redis.stop()
  const service = await start()
  expect(outages(service)).toMatchObject([{ cause: 'ECONNREFUSED' }])
  expect((await service.request(account)).status).toBe(200)
  await redis.start()
  await untilLimited(service)
})

test('a wrong password is logged as such, without its value', async () => {
  const wrong = 'another-password-that-nobody-may-see'
  const service = await start({ REDIS_URL: redis.url.replace(password, wrong) })
  expect(statusesOf(await times(10, () => service.request(account)))).toEqual(Array(10).fill(200))
  expect(outages(service)).toMatchObject([{ cause: expect.stringMatching(/^(WRONGPASS|NOAUTH)$/) }])
  expect(service.logs.join('')).not.toContain(wrong)
})

test('what is no answer of Redis is an outage, not a number', async () => {
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const commands = bytes.toString().match(/^\*\d/gm) ?? []
      socket.write('+OK\r\n'.repeat(commands.length))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  const service = await start({ REDIS_URL: `redis://127.0.0.1:${port}` })
  for (const { status, headers } of await times(10, () => service.request(account)))
    expect([status, headers.ratelimit]).toEqual([200, undefined])
  expect(outages(service)).toMatchObject([{ cause: 'no answer' }])
})

test('what Redis keeps names no key and no code, and ends with its window', async () => {
  const service = await start()
  await service.request(account)
  await service.request(item(5))
  const body = JSON.stringify({ purchase_code: `${codes.active}-guessed` })
  const headers = { 'x-api-key': secretKey, 'content-type': 'application/json' }
  await service.request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { ...headers, 'content-length': `${body.length}` },
    body,
  })
  const client = new Redis(redis.url)
  const names = (await client.keys('*')).sort()
  expect(names.map((name) => name.split(':').slice(0, 3).join(':'))).toEqual([
    'saleproof:failures:2/60',
    'saleproof:key-failures:40/600',
    'saleproof:requests:6/60',
  ])
  for (const name of names) {
    expect(name).not.toContain(secretKey)
    expect(name).not.toContain('guessed')
    const seconds = await client.ttl(name)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(600)
  }
  client.disconnect()
})

test('the processes of a service count in Redis, each by itself', async () => {
  const loaded = await spawnSaleproof(['import', '-'], { cwd: home.folder, input: ndjson(records) })
  expect(loaded.code).toBe(0)
  const { url, done, signal } = await spawnServe({
    cwd: home.folder,
    env: { WEB_CONCURRENCY: '2', REDIS_URL: redis.url, SALEPROOF_RATE_LIMIT: '50/600' },
  })
  const both = (await connectToEach(url)).flat()
  const answers = (await Promise.all(both.map((client) => times(60, () => client(account))))).flat()
  expect(statusesOf(answers).sort()).toEqual([...Array(50).fill(200), ...Array(70).fill(429)])
  const client = new Redis(redis.url)
  const [name = ''] = await client.keys('saleproof:requests:50/600:*')
  expect(await client.get(name)).toBe('50')
  client.disconnect()
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('doctor asks Redis, and shows no password', async () => {
  const finding = async (REDIS_URL: string) => {
    const { stdout } = await saleproof(['doctor', '--json'], { cwd: home.folder, env: { REDIS_URL } })
    expect(stdout).not.toContain(password)
    expect(stdout).not.toContain('canary')
    const { state, finding } = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'redis')
    return `${state}: ${finding}`
  }
  await start()
  expect(await finding(redis.url)).toBe('ok: Redis answers')
  const wrong = redis.url.replace(password, 'canary')
  expect(await finding(wrong)).toBe('problem: Redis refuses REDIS_URL (WRONGPASS)')
  expect(await finding(redis.url.replace(`:${password}@`, ''))).toBe(
    'problem: Redis refuses REDIS_URL (NOAUTH)',
  )
  redis.freeze()
  expect(await finding(redis.url)).toMatch(/^problem: Redis does not answer/)
  redis.thaw()
  expect(await finding('redis://127.0.0.1:1')).toBe('problem: Redis does not answer (ECONNREFUSED)')
})
