import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from './client.ts'
import { saleproof, serve } from './command.ts'
import { ndjson, temporaryFolder } from './harness.ts'
import { expectedCounts, metricsToken, requests, traffic, valuesOf } from './metrics-traffic.ts'
import { codes, records, secretKey } from './records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
  const loaded = await saleproof(['import', '-'], { cwd: folder.folder, input: ndjson(records) })
  expect(loaded.code).toBe(0)
})
afterEach(() => folder.remove())

/** Two processes: each has request ids of its own, so an answer tells which of them it is from. */
const serveTwo = (env: Record<string, string>) =>
  serve({ cwd: folder.folder, env: { WEB_CONCURRENCY: '2', METRICS_TOKEN: metricsToken, ...env } })

const account = (url: string) =>
  send(url, { path: operations.getAccount.path, headers: { 'x-api-key': secretKey } })

const validate = (url: string, code: string) =>
  send(url, {
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'content-type': 'application/json', 'x-api-key': secretKey },
    body: JSON.stringify({ purchase_code: code }),
  })

type Sent = Awaited<ReturnType<typeof send>>

const processesOf = (answers: readonly Sent[]) =>
  new Set(answers.map(({ headers }) => String(headers['x-request-id']).split('-')[0]))

async function untilBothAnswer(url: string) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(url, { path: '/healthz' })))
    if (processesOf(answers).size === 2) return
    await sleep(100)
  }
  expect.unreachable('only one process answered')
}

const statuses = (answers: readonly Sent[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('limits count over all processes, to the request', async () => {
  const { url, signal, done } = await serveTwo({
    SALEPROOF_RATE_LIMIT: '50/600',
    SALEPROOF_FAILURE_LIMIT: '7/600',
  })
  await untilBothAnswer(url)
  const misses = await Promise.all(Array.from({ length: 20 }, (_, n) => validate(url, `no-such-code-${n}`)))
  expect(statuses(misses)).toEqual({ 404: 7, 429: 13 })
  expect((await validate(url, codes.active)).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 60 }, () => account(url)))
  // Of the misses only those that were answered were requests.
  expect(statuses(answers)).toEqual({ 200: 50 - 8, 429: 60 - 42 })
  expect(processesOf(answers).size).toBe(2)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
}, 60_000)

const readMetrics = async (url: string) =>
  (await send(url, { path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } })).text

const workersOf = (pid: number) =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

test('metrics are those of all processes', async () => {
  const { url, signal, done } = await serveTwo({ SALEPROOF_RATE_LIMIT: '100000/600' })
  await untilBothAnswer(url)
  const before = valuesOf(await readMetrics(url), 'saleproof_requests_total')
  const rounds = 4
  const answers: Sent[] = []
  for (let round = 0; round < rounds; round++)
    answers.push(...(await Promise.all(requests.map((sent) => send(url, sent)))))
  expect(processesOf(answers).size).toBe(2)
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
  expect(valuesOf(text, 'saleproof_limit_verdicts_total')).toMatchObject({ 'requests allowed': allowed })
  expect(valuesOf(text, 'saleproof_processes')).toEqual({ '': 2 })
  expect(valuesOf(text, 'saleproof_build_info')).toEqual({ '0.0.0': 1 })
  signal('SIGTERM')
  expect((await done).code).toBe(0)
}, 60_000)

test('counts do not fall when a process ends', async () => {
  const { url, pid, signal, done } = await serveTwo({ SALEPROOF_RATE_LIMIT: 'off' })
  await untilBothAnswer(url)
  await Promise.all(Array.from({ length: 40 }, () => account(url)))
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
    await expect.poll(figures, { timeout: 30_000 }).toEqual(counted)
    // With no process left that listens, another would get another free port.
    await untilBothAnswer(url)
  }
  await Promise.all(Array.from({ length: 5 }, () => account(url)))
  expect(await figures()).toEqual({ processes: 2, ended: 2, answers: 45, durations: 45 })
  signal('SIGTERM')
  expect((await done).code).toBe(0)
}, 120_000)

test('without the first process nothing is limited, which is told once, and nobody waits; it recovers by itself', async () => {
  const { url, pid, signal, done, output } = await serveTwo({ SALEPROOF_RATE_LIMIT: '40/600' })
  await untilBothAnswer(url)
  const told = (text: string) => output.stdout.split('\n').filter((line) => line.includes(text)).length
  process.kill(pid, 'SIGSTOP')
  try {
    const began = performance.now()
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => account(url)))
      expect(statuses(answers)).toEqual({ 200: 20 })
    }
    expect(performance.now() - began).toBeLessThan(10_000)
    const metrics = await send(url, {
      path: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    expect([metrics.status, metrics.headers['x-error-code']]).toEqual([503, 'unavailable'])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const limited = async () => (await account(url)).status === 429
  for (let attempt = 0; attempt < 200 && !(await limited()); attempt++) await sleep(50)
  expect(await limited()).toBe(true)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
  // Once by each process that had to ask.
  expect(told('the first process does not answer: nothing is limited until it does')).toBeOneOf([1, 2])
  expect(told('the first process answers again: limits hold')).toBeOneOf([1, 2])
}, 60_000)

test('a process that is killed is replaced', async () => {
  const { url, pid, signal, done, output } = await serveTwo({ SALEPROOF_RATE_LIMIT: 'off' })
  await untilBothAnswer(url)
  process.kill(workersOf(pid)[0]!, 'SIGKILL')
  await untilBothAnswer(url)
  expect(output.stderr).toContain('a worker ended (SIGKILL): starting another\n')
  signal('SIGTERM')
  expect((await done).code).toBe(0)
}, 60_000)

test('a taken port is told once, and ends all processes', async () => {
  const { url, signal, done } = await serveTwo({})
  const { port } = new URL(url)
  const second = await saleproof(['serve'], { cwd: folder.folder, env: { PORT: port, WEB_CONCURRENCY: '2' } })
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is taken: [^\\n]+\\n$`))
  signal('SIGINT')
  expect((await done).code).toBe(0)
}, 60_000)
