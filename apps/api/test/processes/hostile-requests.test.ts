import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import type { ImportedRecord } from '@saleproof/schema/console'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../faults/serving.ts'
import { keepConnections, receive, type Sent } from '../support/client.ts'
import { consolePath, createBrowser, password } from '../support/console-client.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { spawnSaleproof, spawnServe, workersOf } from '../support/process.ts'
import { codes, publishableKey, records, secretKey } from '../support/records.ts'

// Everything that hurt the service once, at the same time. A few seconds in a test run; HOSTILE_MINUTES=10 is ten minutes of it.
const minutes = Number(process.env.HOSTILE_MINUTES || 0.05)
const adminToken = 'a-token-of-the-shop-elsewhere'
const validation = operations.validatePurchase.path
const studio = { slug: 'ada-studio' }

async function startService() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const withPasswords = records.map((record) => ('username' in record ? { ...record, password } : record))
  const stored = await spawnSaleproof(['import', '-'], { cwd: folder, input: ndjson(withPasswords) })
  expect(stored.code, stored.stderr).toBe(0)
  const env = {
    ADMIN_TOKEN: adminToken,
    SALEPROOF_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    WEB_CONCURRENCY: '2',
    TRUST_PROXY: '1',
  }
  const service = await spawnServe({ cwd: folder, env })
  onTestFinished(async () => {
    service.signal('SIGKILL')
    await service.done
  })
  return service
}

const post = (path: string, body: string, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}`, ...headers },
  body,
})
const validate = (code: string, key: string, headers?: Record<string, string>) =>
  post(validation, JSON.stringify({ purchase_code: code }), { 'x-api-key': key, ...headers })

/** What an honest client has to hear. */
const honest = [
  { request: validate(codes.active, secretKey), status: 200 },
  { request: validate(codes.refunded, secretKey), status: 404 },
  { request: validate(codes.video, secretKey), status: 200 },
]

const pick = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)]!
const dots = `{"${'.'.repeat(65_000)}":1}`
const words = Array.from({ length: 800 }, (_, index) => `W${index}`).join(' ')
const megabytes = (part: string, count: number) =>
  part.repeat(Math.floor((count * 1024 * 1024) / part.length))

type Attack = () => Promise<{ status: number } | undefined>

/** By the row of the list of attacks that each repeats. */
async function attacksOn(url: string, primary: number): Promise<Record<string, Attack>> {
  const ada = createBrowser(url)
  await ada.signIn('ada')
  const bob = createBrowser(url)
  await bob.signIn('bob')
  const send = (sent: Sent) => receive(url, sent)
  const csrf = { 'sec-fetch-site': 'same-origin', 'x-csrf-token': ada.token()!, cookie: ada.cookie()! }
  const importPath = consolePath('importRecords', studio)
  const importAs = (body: string) =>
    send(post(importPath, body, { ...csrf, 'content-type': 'application/x-ndjson' }))
  const importAdmin = (body: string) =>
    send(post('/admin/import', body, { authorization: `Bearer ${adminToken}` }))
  const template = records.find((record) => 'purchase_code' in record) as ImportedRecord
  let count = 0

  return {
    '1: names of dots, anonymous': () => send(post('/console/api/session', dots)),
    '1: names of dots, a link': () => send(post('/console/api/password-reset/check', dots)),
    '1: a long name in an import': () => importAs(`{"${'.'.repeat(2_000_000)}":1}\n`),
    '1: names of a profile': () =>
      ada.call(
        'updateAccount',
        {},
        `{"profile":{"social_links":{"${'.'.repeat(10_000)}":"https://a.example"}}}`,
      ),
    '2: texts of a validation': () => send(post(validation, pick(Object.values(hostileTexts))(15 * 1024))),
    '3: numbers of an import': () => importAs(`[${megabytes('1,', 16).slice(0, -4)}1]`),
    '3: objects of an import': () => importAdmin(`[${megabytes('{},', 16).slice(0, -8)}{}]`),
    async '5: one new sale twice'() {
      const record = {
        ...template,
        purchase_code: `AT-THE-SAME-TIME-${count++}`,
        item: 201,
      } as ImportedRecord
      const answers = await Promise.all(
        [1, 2].map(() =>
          bob.call('importRecords', { slug: 'bob-works' }, { records: [record], only_new: true }),
        ),
      )
      const created = answers.map(({ status, text }) =>
        status === 200 ? JSON.parse(text).counts.purchases.created : 0,
      )
      expect(created).not.toEqual([1, 1])
      return answers[0]
    },
    '6: guesses': () => send(validate(`GUESS-${count++}`, publishableKey)),
    '8: a code as the id of a request': () =>
      send(validate(codes.active, secretKey, { 'x-request-id': codes.active })),
    '10: two sessions'() {
      const cookie = [1, 2].map((value) => `__Host-saleproof_session=${value}`).join('; ')
      return send({ path: '/console/api/session', headers: { 'x-forwarded-proto': 'https', cookie } })
    },
    '11: an export': () => ada.call('exportPurchases', studio, { format: 'csv' }),
    async '13: a killed worker'() {
      await sleep(Math.min(minutes * 20_000, 10_000))
      // The first one stays for all the time.
      const [, newest] = workersOf(primary)
      if (newest) process.kill(newest, 'SIGKILL')
      return undefined
    },
    '14: a check of 800 words': () => ada.call('check', studio, { purchase_code: `${words} ${count++}` }),
  }
}

/** Of the primary process and of the worker that is never killed, in MiB. */
function residentMemory(primary: number) {
  const of = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
  return Math.round((of(primary) + of(workersOf(primary)[0]!)) / 1024)
}

const isLost = (error: unknown) =>
  /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up/.test(`${(error as { code?: string }).code} ${error}`)

/** Attacks until it is told to stop. Connections to a worker that is killed are lost. Gives how often each status came. */
async function attack(act: Attack, isOver: () => boolean) {
  const statuses: Record<string, number> = {}
  while (!isOver()) {
    const answer = await act().catch((error) => {
      if (!isLost(error)) throw error
    })
    const status = answer?.status ?? 'none'
    statuses[status] = (statuses[status] ?? 0) + 1
    await sleep(10)
  }
  return statuses
}

test(`hostile requests of all kinds at once, for ${minutes} minutes: validations are right, and memory stays`, {
  retry: 0,
  timeout: minutes * 60_000 + 120_000,
}, async () => {
  const service = await startService()
  const attacks = await attacksOn(service.url, service.pid)
  const connections = keepConnections(service.url, 2)
  onTestFinished(connections.close)
  const times: number[] = []
  let lost = 0

  async function validateUntil(isOver: () => boolean) {
    while (!isOver()) {
      const { request, status } = pick(honest)
      const began = performance.now()
      const answer = await connections.ask(request).catch(() => undefined)
      times.push(performance.now() - began)
      if (answer) expect([answer.status, answer.bytes.toString()]).toEqual([status, expect.any(String)])
      else lost++
      await sleep(20)
    }
  }

  async function run(seconds: number) {
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const running = Object.entries(attacks).map(
      async ([name, act]) => [name, await attack(act, isOver)] as const,
    )
    const [done] = await Promise.all([Promise.all(running), validateUntil(isOver)])
    // Threads of imports end, and a worker that was killed is started again.
    await sleep(minutes < 1 ? 500 : 15_000)
    await eventually(() => workersOf(service.pid).length === 2)
    return { memory: residentMemory(service.pid), counts: Object.fromEntries(done) }
  }

  const warm = await run(minutes * 6)
  times.length = 0
  const { memory, counts } = await run(minutes * 54)
  times.sort((a, b) => a - b)
  const quantile = (part: number) => Math.round(times[Math.floor(times.length * part)]! * 10) / 10
  const latency = {
    p50: quantile(0.5),
    p99: quantile(0.99),
    worst: quantile(0.9999),
    count: times.length,
    lost,
  }
  console.log(JSON.stringify({ latency, memory: { warm: warm.memory, end: memory }, counts }, null, 1))
  if (minutes >= 1) {
    expect(memory).toBeGreaterThan(0.8 * warm.memory)
    expect(memory).toBeLessThan(1.2 * warm.memory)
  }
})
