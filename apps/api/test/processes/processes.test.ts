import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { version } from '../../src/package.ts'
import { type Answer, type Client, connectToEach, processOf, type Sent, send } from '../support/client.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { expectedCounts, metricsToken, requests, traffic, valuesOf } from '../support/metrics-traffic.ts'
import { spawnSaleproof, spawnServe, workersOf } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
  const loaded = await spawnSaleproof(['import', '-'], { cwd: folder.folder, input: ndjson(records) })
  expect(loaded.code).toBe(0)
})
afterEach(() => folder.remove())

/** Two processes: each has request ids of its own, so a response shows which of them it is from. */
const serveTwo = (env: Record<string, string>) =>
  spawnServe({ cwd: folder.folder, env: { WEB_CONCURRENCY: '2', METRICS_TOKEN: metricsToken, ...env } })

const account: Sent = { path: operations.getAccount.path, headers: { 'x-api-key': secretKey } }

const validation = (code: string): Sent => ({
  method: 'POST',
  path: operations.validatePurchase.path,
  headers: { 'content-type': 'application/json', 'x-api-key': secretKey },
  body: JSON.stringify({ purchase_code: code }),
})

/** One connection to each of the two processes. */
async function connectToBoth(url: string): Promise<[Client, Client]> {
  const [[one], [two]] = (await connectToEach(url)) as [[Client], [Client]]
  return [one, two]
}

/** Sends requests to both in turn. */
const inTurn = (clients: readonly Client[], requests: readonly Sent[]) =>
  Promise.all(requests.map((sent, index) => clients[index % clients.length]!(sent)))

const times = <T>(count: number, value: T) => Array<T>(count).fill(value)

const statuses = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('limits count over all processes, to the request', async () => {
  const { url, signal, done } = await serveTwo({
    SALEPROOF_RATE_LIMIT: '50/600',
    SALEPROOF_FAILURE_LIMIT: '7/600',
  })
  const both = await connectToBoth(url)
  const codesTried = Array.from({ length: 20 }, (_, n) => validation(`no-such-code-${n}`))
  expect(statuses(await inTurn(both, codesTried))).toEqual({ 404: 7, 429: 13 })
  expect((await both[0](validation(codes.active))).status).toBe(200)
  const answers = await inTurn(both, times(60, account))
  // Only those misses that were answered were requests.
  expect(statuses(answers)).toEqual({ 200: 50 - 8, 429: 60 - 42 })
  expect(new Set(answers.map(processOf)).size).toBe(2)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

const readMetrics = async (url: string) =>
  (await send(url, { path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } })).text

test('metrics are those of all processes', async () => {
  const { url, signal, done } = await serveTwo({ SALEPROOF_RATE_LIMIT: '100000/600' })
  const both = await connectToBoth(url)
  const before = valuesOf(await readMetrics(url), 'saleproof_requests_total')
  const rounds = 4
  const answers: Answer[] = []
  for (let round = 0; round < rounds; round++) answers.push(...(await inTurn(both, requests)))
  expect(new Set(answers.map(processOf)).size).toBe(2)
  const text = await readMetrics(url)
  const expected = expectedCounts(rounds)
  expected['health 200 none']! += before['health 200 none']!
  expected['metrics 200 none'] = 1
  expect(valuesOf(text, 'saleproof_requests_total')).toEqual(expected)
  expect(valuesOf(text, 'saleproof_request_duration_seconds_count').getAccount).toBe(11 * rounds)
  // Each request of a key that may is counted once, wherever it went; a refusal before that is not.
  const refused = /40[15] |415 |400 conflicting/
  const counted = traffic.filter(({ labels }) => /^(get|list|validate)/.test(labels) && !refused.test(labels))
  const allowed = counted.reduce((sum, { times }) => sum + times * rounds, 0)
  expect(valuesOf(text, 'saleproof_rate_limit_results_total')).toMatchObject({ 'requests allowed': allowed })
  expect(valuesOf(text, 'saleproof_processes')).toEqual({ '': 2 })
  expect(valuesOf(text, 'saleproof_build_info')).toEqual({ [version]: 1 })
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('counts do not fall when a process ends', async () => {
  const { url, pid, signal, done } = await serveTwo({ SALEPROOF_RATE_LIMIT: 'off' })
  await inTurn(await connectToBoth(url), times(40, account))
  const figures = async () => {
    const text = await readMetrics(url)
    const [processes] = Object.values(valuesOf(text, 'saleproof_processes'))
    const [ended = 0] = Object.values(valuesOf(text, 'saleproof_workers_ended_total'))
    const answers = valuesOf(text, 'saleproof_requests_total')['getAccount 200 none']
    const durations = valuesOf(text, 'saleproof_request_duration_seconds_count').getAccount
    return { processes, ended, answers, durations }
  }
  expect(await figures()).toEqual({ processes: 2, ended: 0, answers: 40, durations: 40 })
  for (const [index, victim] of workersOf(pid).entries()) {
    process.kill(victim, 'SIGKILL')
    const counted = { processes: 2, ended: index + 1, answers: 40, durations: 40 }
    await expect.poll(figures).toEqual(counted)
    // With no process left that listens, another would get another free port.
    await connectToBoth(url)
  }
  await Promise.all(Array.from({ length: 5 }, () => send(url, account)))
  expect(await figures()).toEqual({ processes: 2, ended: 2, answers: 45, durations: 45 })
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('a process that dies while its metrics are asked for ends no other', async () => {
  const { url, pid, signal, done, output } = await serveTwo({})
  const both = await connectToBoth(url)
  const victim = workersOf(pid)[0]!
  // While the first process is stopped, the question comes before the end of who has to answer it.
  process.kill(pid, 'SIGSTOP')
  const asked = both.map((client) =>
    client({ path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } }).catch(() => undefined),
  )
  await sleep(500)
  process.kill(victim, 'SIGKILL')
  await sleep(100)
  process.kill(pid, 'SIGCONT')
  const [answer] = (await Promise.all(asked)).filter((one) => one !== undefined)
  expect(answer?.status).toBe(200)
  await connectToBoth(url)
  expect(output.stderr).toMatch(/^listening on .+\na worker ended \(SIGKILL\): starting another\n$/)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('without the primary process nothing is limited, which is logged once, and no request waits; it recovers by itself', async () => {
  const { url, pid, signal, done, output } = await serveTwo({ SALEPROOF_RATE_LIMIT: '40/600' })
  await connectToBoth(url)
  const countOf = (text: string) => output.stdout.split('\n').filter((line) => line.includes(text)).length
  process.kill(pid, 'SIGSTOP')
  try {
    const began = performance.now()
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(url, account)))
      expect(statuses(answers)).toEqual({ 200: 20 })
    }
    expect(performance.now() - began).toBeLessThan(30_000)
    const metrics = await send(url, {
      path: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    expect([metrics.status, metrics.headers['x-error-code']]).toEqual([503, 'unavailable'])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const limited = async () => (await send(url, account)).status === 429
  for (let attempt = 0; attempt < 200 && !(await limited()); attempt++) await sleep(50)
  expect(await limited()).toBe(true)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
  // Once by each process that had to ask.
  expect(countOf('the primary process does not respond: rate limits are off until it does')).toBeOneOf([1, 2])
  expect(countOf('the primary process responds again: rate limits are on')).toBeOneOf([1, 2])
})

test('a process that is killed is replaced', async () => {
  const { url, pid, signal, done, output } = await serveTwo({ SALEPROOF_RATE_LIMIT: 'off' })
  await connectToBoth(url)
  process.kill(workersOf(pid)[0]!, 'SIGKILL')
  await connectToBoth(url)
  expect(output.stderr).toContain('a worker ended (SIGKILL): starting another\n')
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('a process is replaced also when its end goes unnoticed', async () => {
  const { url, pid, signal, done, closeOutputs } = await serveTwo({})
  await connectToBoth(url)
  const workers = workersOf(pid)
  closeOutputs()
  process.kill(workers[0]!, 'SIGKILL')
  await expect.poll(() => workersOf(pid)[1]).not.toBeOneOf([undefined, workers[1]])
  await connectToBoth(url)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('a taken port is reported once, and ends all processes', async () => {
  const { url, signal, done } = await serveTwo({})
  const { port } = new URL(url)
  const second = await spawnSaleproof(['serve'], {
    cwd: folder.folder,
    env: { PORT: port, WEB_CONCURRENCY: '2' },
  })
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is in use: [^\\n]+\\n$`))
  signal('SIGINT')
  expect((await done).code).toBe(0)
})
