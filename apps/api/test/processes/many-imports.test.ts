import { readFileSync } from 'node:fs'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { receive } from '../support/client.ts'
import { onPostgres } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'

const token = 'a-token-of-the-shop-elsewhere'
const settings = { ADMIN_TOKEN: token, SALEPROOF_RATE_LIMIT: 'off', LOG_LEVEL: 'warn' }
const megabyte = 1024

let home: Awaited<ReturnType<typeof temporaryFolder>>
let service: Awaited<ReturnType<typeof spawnServe>>
beforeEach(async () => {
  home = await temporaryFolder()
  const { folder } = home
  expect((await spawnSaleproof(['import', '-'], { cwd: folder, input: ndjson(records) })).code).toBe(0)
  service = await spawnServe({ cwd: folder, env: settings })
  // Its first uses load what it needs.
  expect((await sell(1, 'FIRST')).status).toBe(200)
  expect((await sell(101, 'FIRST-OF-MANY')).status).toBe(200)
})
afterEach(async () => {
  service.signal('SIGKILL')
  await service.done
  await home.remove()
})

const sale = (purchase_code: string) => ({
  type: 'purchase',
  item: 101,
  purchase_code,
  license_type: 'Regular',
  price: 1,
  currency: 'USD',
  downloaded: false,
  date: '2024-01-01T00:00:00Z',
})

const sales = (count: number, name: string) =>
  ndjson(Array.from({ length: count }, (_, index) => sale(`${name}-CODE-OF-A-SALE-${index}`)))

const send = (body: string) =>
  receive(service.url, {
    method: 'POST',
    path: '/admin/import',
    headers: { authorization: `Bearer ${token}` },
    body,
  })

const sell = (count: number, name: string) => send(sales(count, name))

async function validate() {
  const body = JSON.stringify({ purchase_code: codes.active })
  const at = performance.now()
  const { status } = await receive(service.url, {
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: {
      'x-api-key': secretKey,
      'content-type': 'application/json',
      'content-length': `${body.length}`,
    },
    body,
  })
  return { status, tookMs: performance.now() - at }
}

/** The most memory that the service has had, in KiB. */
const peakMemory = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1])

/** Sends imports at once and validates beside them, until all have an answer. */
async function importAtOnce(bodies: readonly string[]) {
  let done = false
  const imports = Promise.all(bodies.map(send))
  void imports.finally(() => {
    done = true
  })
  const validations = []
  while (!done) validations.push(await validate())
  return { answers: await imports, validations }
}

test.each([
  ['sales as they happen', 1, 150],
  ['files of many sales', 400, 40],
])(
  'many imports at once are stored or a 503, take little memory and stall nobody: %s',
  async (_, lines, count) => {
    const before = peakMemory()
    const bodies = Array.from({ length: count }, (_, index) => sales(lines, `AT-ONCE-${index}`))
    const { answers, validations } = await importAtOnce(bodies)
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(lines === 1 ? 20 : 2)
    expect(peakMemory() - before).toBeLessThan(200 * megabyte)
    expect(new Set(validations.map(({ status }) => status))).toEqual(new Set([200]))
    const [longest = 0] = validations.map(({ tookMs }) => tookMs).sort((a, b) => b - a)
    expect(longest).toBeLessThan(6000)
  },
)

// What is no record is refused where it is read, whatever the database.
const refused = [
  ['numbers', '1\n'],
  ['objects', '{}\n'],
  ['line ends', '\n'],
  ['one list', '[1,'],
]

test.each([...(onPostgres ? [] : refused), ['sales', sales(70_000, 'LARGE')]])(
  'files of 16 MiB take little memory and stall nobody: %s',
  async (_, part = '') => {
    const before = peakMemory()
    const body = part.repeat(Math.floor((16 * 1024 * 1024) / part.length))
    const { answers, validations } = await importAtOnce(Array.from({ length: 4 }, () => body))
    for (const { status } of answers) expect([200, 422, 503]).toContain(status)
    expect(peakMemory() - before).toBeLessThan(150 * megabyte)
    expect(new Set(validations.map(({ status }) => status))).toEqual(new Set([200]))
    expect(Math.max(...validations.map(({ tookMs }) => tookMs))).toBeLessThan(6000)
  },
)
