import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sent, send } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { createBrowser } from '../support/console-client.ts'
import { onPostgres, textOf } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { consoleRequestsWith } from './canaries/console-places.ts'
import { scan } from './canaries/scan.ts'
import { createCanaries, recordsOf } from './canaries/shop.ts'

const canaries = createCanaries()
const { passwords, tokens, secret, codes, stored, all } = canaries

let home: Awaited<ReturnType<typeof temporaryFolder>>
let collector: Awaited<ReturnType<typeof startCollector>>
let server: Awaited<ReturnType<typeof spawnServe>>
const env: Record<string, string> = {
  SALEPROOF_SECRET: secret,
  METRICS_TOKEN: tokens.metrics,
  LOG_LEVEL: 'trace',
  SALEPROOF_SIGN_IN_LIMIT: 'off',
  SALEPROOF_FAILURE_LIMIT: 'off',
}
const answers: { sent: string; status: number; head: string; text: string }[] = []
let metrics = ''

const run = (args: readonly string[], input = '') => spawnSaleproof(args, { cwd: home.folder, env, input })

/** A few at a time: passwords are compared two by two, and of those who wait too many are sent away. */
async function sendAll(requests: readonly Sent[], width = 8) {
  const queue = requests.values()
  const work = async () => {
    for (const sent of queue) {
      const { status, headers, text } = await send(server.url, sent)
      const request = `${sent.method} ${sent.path} ${sent.body ?? ''}`.slice(0, 300)
      answers.push({ sent: request, status, head: JSON.stringify(headers), text })
    }
  }
  await Promise.all(Array.from({ length: width }, work))
}

beforeAll(async () => {
  home = await temporaryFolder()
  expect((await run(['import', '-'], ndjson(recordsOf(canaries)))).code).toBe(0)
  collector = await startCollector()
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' }
  server = await spawnServe({ cwd: home.folder, env: { ...env, ...tracing } })
  const owner = createBrowser(server.url)
  const { csrf_token: token } = await owner.signIn('ada', passwords.imported)
  await sendAll(consoleRequestsWith(canaries, { cookie: owner.cookie()!, token }))
  // What an owner does who means it.
  const studio = { slug: 'studio' }
  const { id } = await owner.ask('createKey', studio, { name: 'made', kind: 'secret' })
  await owner.ask('showKey', { ...studio, id }, { password: passwords.imported })
  await owner.ask('revokeKey', { ...studio, id })
  await owner.ask('setPurchaseState', studio, { purchase_code: codes.refunded, state: 'active' })
  await owner.call('exportPurchases', studio, { format: 'ndjson' })
  await owner.ask('signOut', {})
  const headers = { authorization: `Bearer ${tokens.metrics}` }
  metrics = (await send(server.url, { path: '/metrics', headers })).text
}, 300_000)
afterAll(async () => {
  server.signal('SIGTERM')
  await server.done
  await collector.close()
  await home.remove()
})

const count = (least: number, most: number) =>
  answers.filter(({ status }) => status >= least && status <= most).length

test('an owner’s requests are answered, rightly and wrongly', () => {
  expect(count(200, 299)).toBeGreaterThan(100)
  expect(count(400, 499)).toBeGreaterThan(500)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  for (const status of [400, 401, 403, 404, 415, 422])
    expect(count(status, status), String(status)).toBeGreaterThan(0)
})

test('no failure repeats any of them, nor does the head of an answer', () => {
  const wrong = answers.flatMap(({ sent, status, head, text }) =>
    scan(status >= 400 ? head + text : head, all).map((found) => `${status} ${found} for ${sent}`),
  )
  expect(wrong.slice(0, 10)).toEqual([])
})

test('successes give codes and addresses to whom they belong, which shows that the scan looks', () => {
  const good = answers.filter(({ status }) => status === 200).map(({ text }) => text)
  expect(scan(good.join('\n'), stored)).toEqual(
    expect.arrayContaining(['code active (plain)', 'address own (plain)']),
  )
})

test('metrics and traces hold none of them', async () => {
  expect(metrics).toContain('operation="console"')
  expect(scan(metrics, all)).toEqual([])
  await expect.poll(() => collector.spans.length).toBeGreaterThan(answers.length * 0.5)
  expect(scan(Buffer.concat(collector.requests.map(({ bytes }) => bytes)), all)).toEqual([])
})

test('what was done is noted without them, also beside the database', async () => {
  const { code, stdout, stderr } = await run(['audit', 'list', '--json', '--limit', '5000'])
  expect([code, stdout.includes('key.shown'), stdout.includes('login.failed')]).toEqual([0, true, true])
  // What owners call their keys is theirs to choose, and is stored elsewhere.
  const entries = (JSON.parse(stdout) as { name: unknown }[]).map(({ name, ...entry }) => entry)
  expect(scan(JSON.stringify(entries) + stderr, all)).toEqual([])
  if (onPostgres) {
    const counted = await textOf(home.folder, ['Counts', 'KeyUse'])
    expect(counted).not.toBe('')
    return expect(scan(counted, all)).toEqual([])
  }
  const folder = join(home.folder, 'data')
  const beside = readdirSync(folder).filter((name) => /\.(traffic|lock)/.test(name))
  expect(beside.length).toBeGreaterThan(0)
  for (const name of beside) expect(scan(readFileSync(join(folder, name)), all), name).toEqual([])
})

test('the log has every request, and none of them', async () => {
  server.signal('SIGTERM')
  expect((await server.done).code).toBe(0)
  const { stdout, stderr } = server.output
  expect(stdout.split('\n').length).toBeGreaterThan(answers.length * 0.9)
  expect(scan(stdout + stderr, all)).toEqual([])
})
