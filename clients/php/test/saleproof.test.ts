import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanPastedCode, errorCodes, PurchaseCodeParameterSchema } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findPhp, installWasmPhp, type Php } from './php.ts'
import { type Behaviour, purchase, says, startService } from './server.ts'

const code = 'SALE-0001-ABCD-EF23'
const otherSpelling = 'SALE–0001–ABCD–EF23'
const apiKey = 'sp_php_Zq81LmN0pR7sTuVwXyZaBcDe'
const pepper = 'the pepper of an installation of tests'
const day = 86_400
const january = 1_767_225_600
const repository = join(import.meta.dirname, '../../..')
const programs = join(import.meta.dirname, 'programs')

interface Check {
  outcome: string
  reason: string | null
  source: string
  purchase: { purchase_code: string; item: { id: number } } | null
  error: { kind: string; code: string | null; status: number | null; retryAfter: number | null } | null
  checkedAt: number | null
  graceUntil: number | null
}
interface Report {
  checks: Check[]
  milliseconds: number
  bytes: number
  logged: string[]
  printed: string
  message?: string
  trace?: string
  arguments?: string
}

interface RunOptions {
  now?: number
  forget?: string[]
  reset?: true
  use?: Php
  args?: string[]
}

/** A code, and maybe when and how it is checked. */
type CheckedCode = string | { code: string; now?: number; refresh?: true }

let php: Php
let service: Awaited<ReturnType<typeof startService>>
let folder: string

beforeAll(async () => {
  php = findPhp()
  service = await startService(says.valid)
  folder = mkdtempSync(join(tmpdir(), 'saleproof-php-'))
})
afterAll(() => {
  service?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const newDirectory = () => mkdtempSync(join(folder, 'memory-'))

/** A new process: nothing but its directory is remembered. */
async function run(
  options: object,
  codes: readonly unknown[] = [],
  { use = php, args = [], ...rest }: RunOptions = {},
): Promise<Report> {
  const common = { base_url: service.url, api_key: apiKey, on_unknown: 'deny', max_retries: 0 }
  const given = JSON.stringify({ options: { ...common, ...options }, codes, ...rest })
  const { stdout, stderr } = await use([...args, join(programs, 'check.php'), given])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Report
}

/** A shop: the clock, the directory and the service of one installation. */
function createShop(options: object = {}) {
  const directory = newDirectory()
  const settings = {
    directory,
    pepper,
    on_unknown: { allow_cached_seconds: 3 * day },
    item_id: 101,
    ...options,
  }
  const shop = {
    directory,
    now: january,
    use: undefined as Php | undefined,
    async check(...codes: CheckedCode[]): Promise<Check[]> {
      const { checks } = await run(settings, codes, { now: shop.now, ...(shop.use && { use: shop.use }) })
      return checks
    },
    async reset(): Promise<void> {
      await run(settings, [], { reset: true })
    },
    async outcome(...codes: CheckedCode[]): Promise<string[]> {
      return (await shop.check(...codes)).map(({ outcome, source }) => `${outcome} ${source}`)
    },
    /** The file of the one code that was checked, and that of the state. */
    files(): { record: string; state: string; base: string } {
      const [record = '', state = ''] = readdirSync(directory)
        .filter((file) => file.endsWith('.php'))
        .sort()
        .map((file) => join(directory, file))
      return { record, state, base: state.replace(/\.php$/, '') }
    },
  }
  service.behaviour = says.valid
  service.requests = 0
  return shop
}

/** A service that looks codes up as the API does. */
const stores =
  (stored: string, found: Behaviour): Behaviour =>
  (sent, response) =>
    (cleanPastedCode(sent) === stored ? found : says.refused)(stored, response)

describe('grace', () => {
  it('survives a restart, and ends', async () => {
    const shop = createShop()
    const [first] = await shop.check(code)
    expect(first).toMatchObject({ outcome: 'valid', source: 'api', checkedAt: january })
    expect(first?.graceUntil).toBe(january + 3 * day)
    service.behaviour = says.down
    shop.now += 2 * day
    const [during] = await shop.check(code)
    expect(during).toMatchObject({ outcome: 'valid', source: 'grace', checkedAt: january })
    const { item, ...rest } = purchase(code)
    const { media, ...fields } = item
    expect(during?.purchase).toEqual({ ...rest, item: fields })
    shop.now += day
    expect(await shop.outcome(code)).toEqual(['unknown api'])
  })

  it('is not given with `deny`', async () => {
    const shop = createShop({ on_unknown: 'deny' })
    expect((await shop.check(code))[0]).toMatchObject({ outcome: 'valid', source: 'api', graceUntil: null })
    service.behaviour = says.down
    shop.now += day
    expect(await shop.outcome(code)).toEqual(['unknown api'])
  })

  it('ends for every spelling with an invalid result to one of them', async () => {
    const shop = createShop()
    service.behaviour = stores(code, says.valid)
    expect(await shop.outcome(code, otherSpelling)).toEqual(['valid api', 'valid cache'])
    shop.now += day
    service.behaviour = says.refused
    expect(await shop.outcome('ＳＡＬＥ-0001-ABCD-EF23\u200b', code)).toEqual([
      'invalid api',
      'invalid cache',
    ])
    service.behaviour = says.limited
    shop.now += 60
    expect(await shop.outcome(code)).toEqual(['unknown api'])
    expect(await shop.outcome(otherSpelling)).toEqual(['unknown cache'])
  })

  it('of another item does not make a code of its own invalid', async () => {
    const shop = createShop()
    service.behaviour = (sent, response) => says.valid(sent, response, sent === code ? 999 : 101)
    expect((await shop.check(code))[0]).toMatchObject({ outcome: 'invalid', reason: 'wrong_item' })
    expect(await shop.outcome('SALE-0002-ABCD-EF23')).toEqual(['valid api'])
  })

  it('is not restored by a valid result that was on its way when the invalid one arrived', async () => {
    // By the real clock: the first process has to see that time went on.
    const options = {
      directory: newDirectory(),
      pepper,
      on_unknown: { allow_cached_seconds: day },
      ttl_seconds: 0,
      negative_ttl_seconds: 0,
    }
    const outcome = async () => (await run(options, [code])).checks[0]?.outcome
    let finish = () => {}
    const asked = new Promise<void>((resolve) => {
      service.behaviour = (sent, response) => {
        finish = () => says.valid(sent, response)
        resolve()
      }
    })
    const slow = outcome()
    await asked
    service.behaviour = says.refused
    expect(await outcome()).toBe('invalid')
    finish()
    expect(await slow).toBe('invalid')
    service.behaviour = says.down
    expect(await outcome()).toBe('unknown')
  })

  it('is bound to service, key and item', async () => {
    const directory = newDirectory()
    const options = { directory, pepper, on_unknown: { allow_cached_seconds: day }, item_id: 101 }
    service.behaviour = says.valid
    await run(options, [code], { now: january })
    service.behaviour = says.down
    const other = await startService(says.down)
    onTestFinished(() => other.close())
    for (const change of [
      { base_url: other.url },
      { api_key: `${apiKey}x` },
      { item_id: 102 },
      { pepper: `${pepper}x` },
    ]) {
      const { checks } = await run({ ...options, ...change }, [code], { now: january + 1_000 })
      expect([change, checks[0]?.outcome]).toEqual([change, 'unknown'])
    }
    const { checks } = await run(options, [code], { now: january + 1_000 })
    expect(checks[0]).toMatchObject({ outcome: 'valid', source: 'grace' })
  })

  it('does not outlive a changed, a hand-written, a removed or a foreign file', async () => {
    const shop = createShop()
    await shop.check(code)
    service.behaviour = says.down
    shop.now += day
    const outcome = async () => (await shop.check(code))[0]?.outcome
    for (const file of [shop.files().record, shop.files().state]) {
      const sealed = readFileSync(file, 'utf8')
      const attempts: Record<string, string> = {
        'another time': sealed.replace(/"(at|clock)":\d+/, `"$1":${january + 2 * day}`),
        'another seal': sealed.replace(/\n[0-9a-f]/, (start) => (start === '\n0' ? '\n1' : '\n0')),
        'no seal': sealed.replace(/\n[0-9a-f]{64}/, '\n'),
        nothing: '',
      }
      for (const [name, text] of Object.entries(attempts)) {
        expect(text).not.toBe(sealed)
        writeFileSync(file, text)
        expect([name, await outcome()]).toEqual([name, 'unknown'])
      }
      rmSync(file)
      expect(await outcome()).toBe('unknown')
      writeFileSync(file, sealed)
    }
    expect(await outcome()).toBe('valid')
    // The files of another key, and of another code, under these names.
    const other = createShop({ api_key: `${apiKey}x` })
    await other.check(code)
    const stranger = createShop()
    await stranger.check('SALE-0002')
    service.behaviour = says.down
    for (const foreign of [other, stranger]) {
      writeFileSync(shop.files().record, readFileSync(foreign.files().record))
      expect(await outcome()).toBe('unknown')
    }
  })

  it('ends when the clock is set back, until the API answers', async () => {
    const shop = createShop()
    await shop.check(code)
    service.behaviour = says.down
    shop.now += day
    expect(await shop.outcome(code)).toEqual(['valid grace'])
    shop.now -= 3_600
    expect(await shop.outcome(code)).toEqual(['unknown api'])
    service.behaviour = says.valid
    expect(await shop.outcome(code)).toEqual(['valid api'])
    service.behaviour = says.down
    shop.now += 3_600
    expect(await shop.outcome(code)).toEqual(['valid grace'])
  })

  it.each(['.lock', '.new.php'])('is not given where %s cannot be written', async (ending) => {
    const shop = createShop()
    await shop.check(code)
    // For a minute no check asks the API.
    service.behaviour = says.limited
    shop.now += day
    expect(await shop.outcome(code)).toEqual(['valid grace'])
    const path = shop.files().base + ending
    rmSync(path, { force: true })
    mkdirSync(path)
    shop.now += 10
    expect(await shop.outcome(code)).toEqual(['valid grace'])
    shop.now += 50
    expect(await shop.outcome(code)).toEqual(['unknown cache'])
    shop.now += day
    expect(await shop.outcome(code)).toEqual(['unknown api'])
  })

  it('ends with an invalid result that cannot be written', async () => {
    const shop = createShop()
    await shop.check(code)
    const next = `${shop.files().base}.new.php`
    mkdirSync(next)
    service.behaviour = says.refused
    shop.now += 1_000
    expect(await shop.outcome(code)).toEqual(['invalid api'])
    rmSync(next, { recursive: true })
    service.behaviour = says.down
    expect(await shop.outcome(code)).toEqual(['unknown api'])
  })

  it('is kept by `refresh`, which asks the API before its time', async () => {
    const shop = createShop()
    const refresh = { code, refresh: true } as const
    expect(await shop.outcome(code, refresh, code)).toEqual(['valid api', 'valid api', 'valid cache'])
    service.behaviour = says.down
    expect(await shop.outcome(refresh, code)).toEqual(['valid grace', 'valid cache'])
    service.behaviour = says.refused
    shop.now += 60
    expect(await shop.outcome(refresh, code)).toEqual(['invalid api', 'invalid cache'])
  })

  it('ends on `forget`, in every spelling', async () => {
    const shop = createShop()
    await shop.check(code)
    const options = {
      directory: shop.directory,
      pepper,
      on_unknown: { allow_cached_seconds: day },
      item_id: 101,
    }
    service.behaviour = says.down
    const { checks } = await run(options, [code], { now: january, forget: [otherSpelling] })
    expect(checks[0]?.outcome).toBe('unknown')
  })

  it('is kept for the last 1,000 valid codes, whatever guesses come', async () => {
    const { stdout, stderr } = await php([join(programs, 'many-codes.php'), newDirectory()])
    expect(stderr).toBe('')
    const { largest, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({ count: 1000, first: false, last: true, files: 1001 })
    expect(largest).toBeLessThan(30_000)
  })
})

it('a thousand codes with items of 10 kB need little time, memory and disk', async () => {
  service.behaviour = (sent, response) => {
    const { item, ...rest } = purchase(sent)
    const large = { ...rest, item: { ...item, description: 'x'.repeat(10_000) } }
    response.end(JSON.stringify({ status: 'success', data: { purchase: large } }))
  }
  const codes = Array.from({ length: 1_000 }, (_, index) => `SALE-${index}`)
  const limit = { args: ['-d', 'memory_limit=16M'] }
  for (const fields of [{}, { item_fields: ['id', 'description'] }]) {
    const directory = newDirectory()
    const options = { ...fields, directory, pepper, on_unknown: { allow_cached_seconds: day } }
    for (let start = 0; start < codes.length; start += 100)
      await run(options, codes.slice(start, start + 100), limit)
    const times: number[] = []
    for (let count = 0; count < 5; count++) {
      const { checks, milliseconds, bytes } = await run(options, ['SALE-500'], limit)
      expect(checks[0]?.source).toBe('cache')
      expect(bytes).toBeLessThan(2_000_000)
      times.push(milliseconds)
    }
    expect(Math.min(...times)).toBeLessThan(20)
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size)
    expect(Math.max(...sizes)).toBeLessThan(fields.item_fields ? 11_000 : 1_000)
  }
})

it('an invalid result is kept as long as it is used, longer only where it ended a valid one', async () => {
  const shop = createShop()
  const guess = 'GUESS-1'
  await shop.check(code)
  service.behaviour = says.refused
  shop.now += 1_000
  await shop.check(code, guess)
  const { record, state } = shop.files()
  expect(readFileSync(record, 'utf8')).toContain('purchase_not_active')
  expect(readFileSync(state, 'utf8')).toContain('purchase_not_active')
  shop.now += 31
  await shop.check(code, 'GUESS-2')
  expect(readFileSync(state, 'utf8').match(/purchase_not_active/g)).toHaveLength(1)
  expect(readFileSync(record, 'utf8')).toContain('purchase_not_active')
})

describe('an outage', () => {
  it('sends one request for 50 checks within Retry-After', async () => {
    const shop = createShop()
    await shop.check(code)
    service.behaviour = says.limited
    service.requests = 0
    shop.now += 3_600
    const codes = Array.from({ length: 50 }, (_, index) => (index % 2 ? code : `OTHER-${index}`))
    const checks = await shop.check(...codes)
    expect(service.requests).toBe(1)
    expect(new Set(checks.map(({ outcome, source }) => `${outcome} ${source}`))).toEqual(
      new Set(['unknown api', 'unknown cache', 'valid grace']),
    )
    expect(checks[2]?.error).toMatchObject({ kind: 'rate_limited', status: 429, retryAfter: 60 })
    shop.now += 61
    service.behaviour = says.valid
    expect(await shop.outcome(code, 'OTHER-0')).toEqual(['valid api', 'valid api'])
  })

  it.each<[string, Behaviour]>([
    ['resets', (_, response) => void response.destroy()],
    [
      'answers with 503 and Retry-After',
      (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
    ],
    ['answers with a page', (_, response) => response.writeHead(403).end('<html>')],
  ])('is not what one code sees that a filter %s', async (_, filter) => {
    const shop = createShop()
    service.behaviour = (sent, response) => (sent === 'BAD' ? filter : says.valid)(sent, response)
    // 40 seconds: five bad codes a second, and one right one.
    const codes = Array.from({ length: 240 }, (_, index) => ({
      code: index % 6 === 5 ? `SALE-${index}` : 'BAD',
      now: january + index / 6,
    }))
    const outcomes = await shop.outcome(...codes)
    const right = outcomes.filter((_, index) => codes[index]?.code !== 'BAD')
    expect(right.filter((outcome) => outcome !== 'valid api')).toEqual([])
  })

  it('is what two codes see, and a third one ends it before them', async () => {
    const shop = createShop({ on_unknown: 'deny' })
    service.behaviour = says.down
    const at = (code: string, seconds: number) => ({ code, now: january + seconds })
    expect(await shop.outcome(at('A', 0), at('A', 1), at('B', 1), at('C', 1))).toEqual([
      'unknown api',
      'unknown cache',
      'unknown api',
      'unknown cache',
    ])
    // The backoff of 1 second is over: not for those that failed.
    expect(await shop.outcome(at('A', 2), at('B', 2), at('C', 2))).toEqual([
      'unknown cache',
      'unknown cache',
      'unknown api',
    ])
    // Where no other asks, those that failed do after one more, here of 2 seconds.
    service.behaviour = says.valid
    expect(await shop.outcome(at('A', 5.9), at('A', 6), at('B', 6))).toEqual([
      'unknown cache',
      'valid api',
      'valid api',
    ])
  })

  it.each([429, 503])('lasts no longer than a minute by the Retry-After of one %d', async (status) => {
    const shop = createShop()
    service.behaviour = (_, response) => response.writeHead(status, { 'retry-after': '3600' }).end()
    await shop.check(code)
    service.behaviour = says.valid
    shop.now += 60
    expect(await shop.outcome(code)).toEqual(['unknown cache'])
    shop.now += 1
    expect(await shop.outcome(code)).toEqual(['valid api'])
  })

  it('ends with a response, whatever it says', async () => {
    const shop = createShop()
    service.behaviour = says.down
    await shop.check('A', 'B')
    service.behaviour = (_, response) => response.writeHead(403).end('<html>')
    shop.now += 10
    expect(await shop.outcome('BAD')).toEqual(['unknown api'])
    service.behaviour = says.valid
    expect(await shop.outcome('C')).toEqual(['valid api'])
  })

  it('ends on `reset`, which keeps what is remembered of codes', async () => {
    const shop = createShop()
    await shop.check(code)
    service.behaviour = says.limited
    shop.now += day
    expect(await shop.outcome('A', code)).toEqual(['unknown api', 'valid grace'])
    await shop.reset()
    expect(await shop.outcome(code)).toEqual(['valid grace'])
    await shop.reset()
    service.behaviour = says.valid
    expect(await shop.outcome('A')).toEqual(['valid api'])
  })

  it('is probed by one process alone', async () => {
    const shop = createShop({ timeout_seconds: 2 })
    await shop.check(code)
    service.behaviour = says.down
    shop.now += 3_600
    await shop.check(code)
    service.requests = 0
    service.behaviour = () => {}
    shop.now += 30
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => shop.outcome(code)))
    expect(outcomes.flat()).toEqual(Array(6).fill('valid grace'))
    expect(service.requests).toBe(1)
  })

  it('keeps no visitor waiting whose code is known', async () => {
    const shop = createShop()
    await shop.check(code)
    service.behaviour = says.down
    shop.now += 3_600
    await shop.check(code)
    service.behaviour = () => {}
    const options = {
      directory: shop.directory,
      pepper,
      on_unknown: { allow_cached_seconds: 3 * day },
      item_id: 101,
    }
    const { checks, milliseconds } = await run(options, [code], { now: shop.now })
    expect(checks[0]?.source).toBe('grace')
    expect(milliseconds).toBeLessThan(1_000)
  })

  it('of an API that hangs keeps page views with grace waiting for 2 seconds at most', {
    retry: 2,
  }, async () => {
    const shop = createShop({ max_retries: 2 })
    await shop.check(code)
    service.behaviour = () => {}
    const options = {
      directory: shop.directory,
      pepper,
      on_unknown: { allow_cached_seconds: day },
      item_id: 101,
    }
    const view = async (seconds: number, more = {}) =>
      run({ ...options, max_retries: 2, ...more }, [code], { now: january + seconds })
    const views = [await view(1_000), await view(1_001), await view(1_002)]
    for (const { checks } of views) expect(checks[0]).toMatchObject({ outcome: 'valid', source: 'grace' })
    const [first, blocked, second] = views.map(({ milliseconds }) => milliseconds)
    // One that asks nothing shows how busy this machine is.
    const own = Number(blocked) + 400
    expect(own).toBeLessThan(1_400)
    for (const milliseconds of [first, second]) expect(milliseconds).toBeLessThan(own + 2_000)
    const { milliseconds } = await view(1_200, { grace_timeout_seconds: 0.5 })
    expect(milliseconds).toBeLessThan(own + 500)
  })

  it('is not declared by an error that one code can provoke', async () => {
    const shop = createShop()
    service.behaviour = (sent, response) => (sent === 'BAD' ? response.end('{}') : says.valid(sent, response))
    expect(await shop.outcome('BAD', code)).toEqual(['unknown api', 'valid api'])
  })
})

it('processes that write at the same time lose nothing', async () => {
  const shop = createShop()
  const names = Array.from({ length: 6 }, (_, index) => `SALE-${index}`)
  await Promise.all(
    names.map((name) => shop.check(...Array.from({ length: 20 }, (_, index) => `${name}-${index}`))),
  )
  service.behaviour = says.down
  shop.now += day
  const all = names.flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name}-${index}`))
  expect(new Set(await shop.outcome(...all))).toEqual(new Set(['valid grace']))
})

it('the files hold no code, and show nothing to a browser', async () => {
  const shop = createShop()
  await shop.check(code)
  const { record, state } = shop.files()
  for (const file of [record, state]) {
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(code)
    expect(text).not.toContain(apiKey)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await php([file])).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  }
})

it('the key and the codes are printed nowhere', async () => {
  const echoes = [apiKey, code, code.toLowerCase(), code.slice(2, 12), 'sale_abcd', btoa(`Bearer ${apiKey}`)]
  for (const echo of echoes) {
    service.behaviour = (sent, response) =>
      void response
        .writeHead(500, { 'x-request-id': echo.slice(0, 64), 'x-error-code': echo, connection: 'close' })
        .end(JSON.stringify({ status: 'error', msg: `${sent} ${apiKey} ${echo}` }))
    const report = await run({ directory: newDirectory(), pepper }, [code])
    const { checks, logged, printed } = report
    expect(checks[0]).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'server', code: 'unreadable', status: 500 },
    })
    for (const secret of [pepper, echo.slice(0, 64), ...echoes])
      expect(JSON.stringify([checks, logged, printed])).not.toContain(secret)
    const { requestId } = Object(checks[0]?.error)
    expect(logged).toEqual([`check: unknown api server 500 unreadable ${requestId}`])
  }
})

it('an error has an error code of the API, and the request id that was sent', async () => {
  for (const errorCode of errorCodes) {
    let requestId: unknown
    service.behaviour = (_, response) => {
      requestId = response.req.headers['x-request-id']
      response
        .writeHead(400, { 'x-error-code': errorCode, 'x-request-id': 'of-a-proxy', connection: 'close' })
        .end(JSON.stringify({ status: 'error', msg: 'Invalid request' }))
    }
    const { checks } = await run({}, [code])
    expect(requestId).toMatch(/^[0-9a-f]{24}$/)
    expect(checks[0]?.error).toMatchObject({ kind: 'rejected', code: errorCode, requestId })
  }
})

describe('options', () => {
  const secret = 'a value that must not be repeated'
  const wrong: Record<string, object> = {
    base_url: { base_url: secret },
    'http elsewhere': { base_url: 'http://api.shop.example' },
    'a user in the URL': { base_url: 'https://user:password@api.shop.example' },
    api_key: { api_key: `${secret}\n` },
    'no api_key': { api_key: '' },
    'no item_id': { item_id: null },
    item_id: { item_id: secret },
    'no on_unknown': { on_unknown: null },
    on_unknown: { on_unknown: secret },
    'grace for ever': { on_unknown: { allow_cached_seconds: 31 * day }, directory: '/tmp', pepper },
    'grace without a directory': { on_unknown: { allow_cached_seconds: day } },
    'no pepper': { directory: '/tmp', pepper: null },
    'a store that is none': { store: secret, pepper },
    'a store and a directory': { store: secret, directory: '/tmp', pepper },
    proxy: { proxy: '' },
    'the pepper of the README.md of the SDK': {
      directory: '/tmp',
      pepper: 'YOUR_PEPPER: 32 random characters or more',
    },
    'a short pepper': { directory: '/tmp', pepper: secret.slice(0, 31) },
    timeout_seconds: { timeout_seconds: secret },
    grace_timeout_seconds: { grace_timeout_seconds: 0 },
    max_retries: { max_retries: 10 },
    invalid_messages: { invalid_messages: secret },
    item_fields: { item_fields: [['id'], secret] },
    ca_file: { ca_file: `/${secret}` },
    'an unknown option': { on_unkown: 'deny' },
  }

  it.each(Object.entries(wrong))('%s: one short sentence that repeats no value', async (_, options) => {
    const { message = '', trace, arguments: shown } = await run({ pepper, ...options })
    expect(message).toMatch(/^[A-Z][^\n]*\.$/)
    expect(message.length).toBeLessThan(300)
    expect(message).not.toMatch(/\(\?|\[\^|\\/)
    expect(trace).not.toContain(secret.slice(0, 20))
    // With its arguments, as programs report errors that get a whole trace.
    for (const each of [apiKey, pepper]) expect(shown).not.toContain(each)
  })

  it('http to another host is possible, but only when it is asked for', async () => {
    const url = { base_url: 'http://api.invalid:3000/path', timeout_seconds: 2 }
    const { checks } = await run({ ...url, allow_insecure_http: true }, [code])
    expect(checks[0]?.error?.kind).toMatch(/^(connection|timeout)$/)
    expect((await run({ ...url, allow_insecure_http: 1 })).message).toContain('https')
  })

  it('a base URL may have a path and a slash at its end', async () => {
    service.behaviour = says.valid
    const { checks } = await run({ base_url: `${service.url}/shop/` }, [code])
    expect(checks[0]?.outcome).toBe('valid')
  })
})

it('without cURL the outcome is unknown', async () => {
  const { checks } = await run({}, [code], { args: ['-d', 'disable_functions=curl_exec'] })
  expect(checks[0]).toMatchObject({ outcome: 'unknown', error: { kind: 'connection', code: 'curl_missing' } })
})

describe('a check throws nothing', () => {
  // Some hosts disable functions for everybody.
  const disabled = 'chmod curl_errno curl_exec curl_init curl_setopt_array fclose file_get_contents '
    .concat('file_put_contents flock fopen hrtime is_dir mkdir rename unlink usleep')
    .split(' ')

  it.each([
    ["Debian's PHP", () => findPhp(), disabled],
    ['PHP 7.4', () => installWasmPhp('7.4'), ['chmod', 'flock']],
    ['PHP 8.5', () => installWasmPhp('8.5'), ['chmod', 'flock']],
  ])('where a function is disabled: %s', async (_, find, names) => {
    const use = find()
    service.behaviour = says.valid
    const options = { pepper, on_unknown: { allow_cached_seconds: day }, item_id: 101 }
    for (const name of names) {
      const args = ['-d', `disable_functions=${name}`]
      const { checks } = await run({ ...options, directory: newDirectory() }, [code, code], { use, args })
      const outcomes = checks.map(({ outcome }) => outcome)
      const isNeeded = /curl|hrtime/.test(name)
      expect([name, ...outcomes]).toEqual([name, ...Array(2).fill(isNeeded ? 'unknown' : 'valid')])
    }
  })

  it.each([
    ["Debian's PHP", () => findPhp()],
    ['PHP 7.4', () => installWasmPhp('7.4')],
    ['PHP 8.5', () => installWasmPhp('8.5')],
  ])('for a number beyond all numbers: %s', async (_, find) => {
    service.behaviour = (_, response) =>
      response.end(
        JSON.stringify({ status: 'success', data: { purchase: { ...purchase(code), weight: 0.5 } } }).replace(
          '0.5',
          '1e999',
        ),
      )
    const { checks } = await run({ directory: newDirectory(), pepper }, [code], { use: find() })
    expect(checks[0]).toMatchObject({ outcome: 'unknown', error: { kind: 'invalid_response' } })
  })
})

it.each([
  ["Debian's PHP", () => findPhp()],
  ['PHP 7.4', () => installWasmPhp('7.4')],
])('a code with an unassigned character is malformed, and affects no other: %s', async (_, find) => {
  const shop = createShop()
  shop.use = find()
  service.behaviour = stores(code, says.valid)
  await shop.check(code)
  service.requests = 0
  const unassigned = ['\u0378', `${code}\u0378`, '\ufdd0', '\u{1ffff}']
  expect(await shop.outcome(...unassigned, code)).toEqual([
    ...unassigned.map(() => 'invalid local'),
    'valid cache',
  ])
  expect(service.requests).toBe(0)
  service.behaviour = says.down
  shop.now += day
  expect(await shop.outcome(code)).toEqual(['valid grace'])
})

it('anything but a text is a malformed code', async () => {
  service.requests = 0
  const { checks } = await run({}, [null, false, 12, [], '', ' \u00a0 ', 'a\u0000b', 'x'.repeat(256)])
  expect(checks.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual(
    Array(8).fill('invalid malformed_code'),
  )
  expect(service.requests).toBe(0)
})

it('a certificate is trusted by `ca_file`, and by nothing else', async () => {
  const certificate = (name: string) =>
    join(repository, `clients/faults/certificates/self-signed.${name}.pem`)
  const server = createTlsServer(
    { key: readFileSync(certificate('key')), cert: readFileSync(certificate('cert')) },
    (request, response) => request.resume().on('end', () => says.valid(code, response)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const outcome = async (host: string, options: object) => {
    const { checks } = await run({ base_url: `https://${host}:${port}`, ...options }, [code])
    return checks[0]?.error?.code ?? checks[0]?.outcome
  }
  expect(await outcome('localhost', { ca_file: certificate('cert') })).toBe('valid')
  expect(await outcome('localhost', {})).toBe('curl_60')
  expect(await outcome('localhost', { allow_insecure_http: true })).toBe('curl_60')
  // Trusted, but issued to another name.
  expect(await outcome('127.0.0.1', { ca_file: certificate('cert') })).toBe('curl_60')
})

describe('the form of a code is that of the API', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '\u2010',
      '\u2212',
      '\u200b',
      '\ufeff',
      '\u00a0',
      '\u3000',
      ' ',
      '-',
      'ﬁ',
      'Ａ',
      'e',
      '\u0301',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )

  /** The form of each code; undefined where this PHP does not know it. */
  async function formsOf(use: Php, codes: readonly string[]): Promise<(string | null | undefined)[]> {
    const file = join(folder, 'codes.json')
    writeFileSync(file, JSON.stringify(codes))
    const { stdout, stderr } = await use(['-d', 'memory_limit=512M', join(programs, 'form.php'), file])
    expect(stderr).toBe('')
    const read = JSON.parse(stdout) as (false | { form: string | null })[]
    return read.map((each) => (each ? each.form : undefined))
  }

  /** Texts without control characters, which the clients reject and the API looks up. */
  const sample = () =>
    fc.sample(fc.array(unit, { maxLength: 8 }), 3_000).map((parts) =>
      parts
        .join('')
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ''),
    )
  const formOf = (code: string) => {
    const { issues, value } = Object(PurchaseCodeParameterSchema['~standard'].validate(code))
    return issues ? null : value
  }

  it('for the examples of every client', async () => {
    const { codes }: { codes: { sent: string; form: string | null }[] } = JSON.parse(
      readFileSync(join(repository, 'clients/codes.json'), 'utf8'),
    )
    const wellFormed = codes.filter(({ sent }) => sent.isWellFormed())
    const forms = await formsOf(
      php,
      wellFormed.map(({ sent }) => sent),
    )
    expect(forms).toEqual(wellFormed.map(({ form }) => form))
  })

  it('for any text, unless it has characters that are newer than this PHP', async () => {
    const codes = sample()
    const forms = await formsOf(php, codes)
    expect(forms).toEqual(codes.map((code, index) => (forms[index] === undefined ? undefined : formOf(code))))
  })

  it('without intl for ASCII, with any dashes and invisible characters', async () => {
    const codes = sample()
    const forms = await formsOf(installWasmPhp('7.4'), codes)
    for (const [index, code] of codes.entries()) {
      const text = code.replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
      if (/^[\x20-\x7e\u2010-\u2015\u2212\ufe58\ufe63\uff0d]*$/.test(text))
        expect(forms[index]).toBe(formOf(code))
      else expect(forms[index]).toBe(undefined)
    }
  })
})

describe('copies', () => {
  const source = join(repository, 'clients/php/saleproof.php')
  const copy = (name: string, namespace = 'Saleproof') => {
    const path = join(folder, name)
    writeFileSync(
      path,
      readFileSync(source, 'utf8').replace('namespace Saleproof;', `namespace ${namespace};`),
    )
    return path
  }
  const program = (files: string[], classes: string[]) => `<?php
${files.map((file) => `require_once '${file}';`).join('\n')}
echo json_encode(array_map(function ($class) {
    return (new ReflectionClass($class))->getFileName();
}, ['${classes.join("', '")}']));
`

  it.each([
    ["Debian's PHP", () => findPhp()],
    ['PHP 7.4', () => installWasmPhp('7.4')],
    ['PHP 8.5', () => installWasmPhp('8.5')],
  ])('of two plugins serve both; one with a namespace of its own is itself: %s', async (_, find) => {
    const [first, second, own] = [
      copy('first.php'),
      copy('second.php'),
      copy('third.php', 'IconPack\\Saleproof'),
    ]
    const classes = ['Saleproof\\Client', 'Saleproof\\Cache', 'IconPack\\Saleproof\\Client']
    const file = join(folder, 'load.php')
    writeFileSync(file, program([first, second, own], classes))
    // OPcache leaves new files alone by default.
    const opcache = ['opcache.enable_cli=1', 'opcache.file_update_protection=0'].flatMap((line) => [
      '-d',
      line,
    ])
    const { stdout } = await find()([...opcache, file])
    expect(stdout).toBe(JSON.stringify([first, first, own]).replaceAll('/', '\\/'))
  })
})

describe('without intl', () => {
  let oldest: Php
  beforeAll(() => {
    oldest = installWasmPhp('7.4')
  })

  it('sends other codes than ASCII as they are, and remembers nothing of them', async () => {
    const shop = createShop()
    shop.use = oldest
    service.behaviour = stores(code, says.valid)
    const fullWidth = 'ＳALE-0001-ABCD-EF23'
    expect(await shop.outcome(fullWidth, fullWidth)).toEqual(['valid api', 'valid api'])
    expect((await shop.check(fullWidth))[0]?.graceUntil).toBeNull()
    service.behaviour = (_, response) => says.valid('SALE-0001-ABCD-EF24', response)
    expect(await shop.outcome(fullWidth)).toEqual(['unknown api'])
    service.behaviour = says.down
    expect(await shop.outcome(fullWidth)).toEqual(['unknown api'])
  })

  it('an invalid result to a spelling that cannot be known ends no grace of others', async () => {
    const shop = createShop()
    shop.use = oldest
    expect(await shop.outcome(code)).toEqual(['valid api'])
    service.behaviour = says.refused
    shop.now += 10
    expect(await shop.outcome('𝐒ALE-0001-ABCD-EF24', code)).toEqual(['invalid api', 'valid cache'])
    service.behaviour = says.down
    shop.now += day
    expect(await shop.outcome(code)).toEqual(['valid grace'])
  })
})

it('the program in the README.md of the SDK works', async () => {
  const readme = readFileSync(join(repository, 'packages/sdk/README.md'), 'utf8')
  const [, block = ''] = /```php\n([\s\S]*?)```/.exec(readme) ?? []
  const program = mkdtempSync(join(folder, 'program-'))
  const withService = block
    .replace('https://market.example.com', service.url)
    .replace('YOUR_PEPPER: 32 random characters or more', pepper)
  writeFileSync(join(program, 'check.php'), withService.replace("$_POST['code']", '$argv[1]'))
  cpSync(join(repository, 'clients/php/saleproof.php'), join(program, 'saleproof.php'))
  const say = async () => (await php([join(program, 'check.php'), code])).stdout
  service.behaviour = says.refused
  expect(await say()).toBe('Not now: invalid')
  rmSync(join(program, 'purchases'), { recursive: true })
  service.behaviour = says.valid
  expect(await say()).toBe('Thank you!')
  service.behaviour = says.down
  expect(await say()).toBe('Thank you!')
})
