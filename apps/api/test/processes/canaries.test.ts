import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { exchange, receive, type Sent } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { saleproof } from '../support/command.ts'
import { everythingIn, onPostgres } from '../support/database.ts'
import { packageRoot } from '../support/folders.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnServe, workersOf } from '../support/process.ts'
import { rawRequestsWith, requestsWith } from './canaries/places.ts'
import { scan } from './canaries/scan.ts'
import { createCanaries, recordsOf } from './canaries/shop.ts'

/** Where one is sent is the same for every database; what that says of one that it met has to be scanned again. */
const every = createCanaries()
const canaries = onPostgres
  ? { ...every, sent: [every.keys.secret, every.keys.publishable, every.codes.active] }
  : every
const { keys, codes, addresses, passwords, tokens, secret, secrets, stored, all } = canaries

let home: Awaited<ReturnType<typeof temporaryFolder>>
let env: Record<string, string>
/** Everything that commands and services have said. */
const said: string[] = []

async function run(args: readonly string[], input = '', { result = false } = {}) {
  const { code, stdout, stderr } = await saleproof(args, { cwd: home.folder, env, input })
  said.push(stderr, result ? '' : stdout)
  return { code, stdout, stderr }
}

beforeAll(async () => {
  home = await temporaryFolder()
  mkdirSync(join(home.folder, 'tmp'))
  env = {
    SALEPROOF_SECRET: secret,
    ADMIN_TOKEN: tokens.admin,
    METRICS_TOKEN: tokens.metrics,
    LOG_LEVEL: 'trace',
    SALEPROOF_RATE_LIMIT: 'off',
    SALEPROOF_FAILURE_LIMIT: 'off',
    TMPDIR: join(home.folder, 'tmp'),
  }
  expect((await run(['import', '-'], ndjson(recordsOf(canaries)))).code).toBe(0)
})
afterAll(() => home.remove())

/** One request on a connection of its own: all of its answer, or the error of the client, which refuses a few header fields itself. */
const ask = (url: string, { headers = {}, ...sent }: Sent) =>
  receive(url, { ...sent, headers: { connection: 'close', ...headers } }).then(
    ({ status, rawHeaders, bytes }) => ({
      status,
      text: `${rawHeaders.join('\n')}${bytes.toString('latin1')}`,
    }),
    (error: unknown) => ({ status: 0, text: String(error) }),
  )

async function atOnce<T>(tasks: readonly (() => Promise<T>)[], width = 16): Promise<T[]> {
  const results: T[] = []
  const queue = tasks.entries()
  const work = async () => {
    for (const [index, task] of queue) results[index] = await task()
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}

/** The files of the deployment, whatever they are called. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const inFiles = (names: (name: string) => boolean, what: typeof all) =>
  filesBelow(home.folder)
    .filter(names)
    .flatMap((file) =>
      scan(readFileSync(file), what).map((found) => `${file.replace(home.folder, '')}: ${found}`),
    )

test('the scan finds what is planted, in every form and place', () => {
  const value = keys.secret
  const bytes = (text: string) =>
    Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(text), Buffer.from([7])])
  const forms: [string, string | Uint8Array][] = [
    ['plain', value],
    ['plain', `{"msg":"…${value.slice(3, 25)}…"}`],
    ['plain', value.toUpperCase()],
    ['plain', bytes(value)],
    ['percent', `/x?${[...Buffer.from(value)].map((code) => `%${code.toString(16)}`).join('')}`],
    ['json', [...value].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')],
    ['html', [...value].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
    ['hex', Buffer.from(value).toString('hex').toUpperCase()],
    ['base64', Buffer.from(value).toString('base64')],
    ['base64', Buffer.from(`a:${value}:b`).toString('base64url')],
    ['base64', Buffer.from(`ab:${value}`).toString('base64')],
    ['utf16', bytes(Buffer.from(value, 'utf16le').toString('latin1')).toString('latin1')],
  ]
  for (const [form, text] of forms) {
    const found = scan(typeof text === 'string' ? `before ${text} after` : text, all)
    expect(found, `${form} ${text}`).toContain(`key secret (${form})`)
    expect(found.filter((each) => !each.startsWith('key secret'))).toEqual([])
  }
  expect(scan(`x ${encodeURIComponent(addresses.own)} y`, all)).toContain('address own (percent)')
  expect(scan(JSON.stringify(env), all)).not.toEqual([])
  expect(scan('nothing of that kind', all)).toEqual([])
})

describe('a service that is sent all of them, in every place', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let server: Awaited<ReturnType<typeof spawnServe>>
  const answers: { sent: string; status: number; text: string }[] = []
  let metrics = ''

  beforeAll(async () => {
    collector = await startCollector()
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' }
    server = await spawnServe({ cwd: home.folder, env: { ...env, ...tracing, WEB_CONCURRENCY: '2' } })
    const requests = requestsWith(canaries)
    const got = await atOnce(
      requests.map((sent) => async () => {
        const answer = await ask(server.url, sent)
        // A busy machine may keep a database from answering in time.
        return answer.status === 503 ? ask(server.url, sent) : answer
      }),
    )
    for (const [index, answer] of got.entries())
      answers.push({ sent: JSON.stringify(requests[index]).slice(0, 300), ...answer })
    // What is no request, or never ends, is nothing that a database hears of.
    const raws = onPostgres ? [] : rawRequestsWith(canaries)
    const texts = await atOnce(raws.map((raw) => () => exchange(server.url, raw).catch(() => '')))
    for (const [index, text] of texts.entries())
      answers.push({ sent: raws[index]!.slice(0, 300), status: Number(text.slice(9, 12)), text })
    const authorization = `Bearer ${tokens.metrics}`
    metrics = (await ask(server.url, { path: '/metrics', headers: { authorization } })).text
  }, 600_000)
  afterAll(async () => {
    server.signal('SIGTERM')
    await server.done
    await collector.close()
  })

  test('has answered, rightly and wrongly', () => {
    const count = (least: number, most: number) =>
      answers.filter(({ status }) => status >= least && status <= most).length
    expect(count(200, 299)).toBeGreaterThan(35 * canaries.sent.length)
    expect(count(400, 499)).toBeGreaterThan(170 * canaries.sent.length)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    for (const status of [400, 401, 403, 404, 405, 413, 415, ...(onPostgres ? [] : [431])])
      expect(count(status, status), String(status)).toBeGreaterThan(0)
  })

  test('repeats none of them in a failure, nor in the head of any answer', () => {
    const wrong = answers.flatMap(({ sent, status, text }) => {
      const summary = status >= 400 ? text : text.split('\r\n\r\n', 1)[0]!.slice(0, 4000)
      const allowed = status >= 400 ? [] : stored
      const found = scan(
        summary,
        all.filter((each) => !allowed.includes(each)),
      )
      return found.map((each) => `${status} ${each} for ${sent}`)
    })
    expect(wrong.slice(0, 10)).toEqual([])
  })

  test('gives codes and addresses to whom they belong, which shows that the scan looks', () => {
    const good = answers.filter(({ status }) => status === 200).map(({ text }) => text)
    expect(scan(good.join('\n'), stored)).toEqual(
      expect.arrayContaining(['code active (plain)', 'address own (plain)', 'address contact (plain)']),
    )
    expect(scan(good.join('\n'), secrets)).toEqual([])
  })

  test('counts and traces without any of them', async () => {
    expect(metrics).toContain('saleproof_')
    expect(scan(metrics, all)).toEqual([])
    await expect.poll(() => collector.spans.length).toBeGreaterThan(answers.length / 2)
    expect(scan(Buffer.concat(collector.requests.map(({ bytes }) => bytes)), all)).toEqual([])
    expect(scan(JSON.stringify(collector.requests.map(({ path, headers }) => [path, headers])), all)).toEqual(
      [],
    )
  })

  test('shows none of them in the list of processes', () => {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const shown = names.map((pid) =>
      ['cmdline', 'comm'].map((name) => {
        const file = `/proc/${pid}/${name}`
        return existsSync(file) ? readFileSync(file, 'latin1') : ''
      }),
    )
    expect(shown.flat().some((text) => text.includes('serve'))).toBe(true)
    expect(scan(shown.flat().join('\n'), all)).toEqual([])
  })

  test('keeps no key, password or token in any file, and no code or address beside the database', async () => {
    expect(inFiles(() => true, secrets)).toEqual([])
    if (onPostgres) {
      expect(inFiles(() => true, all)).toEqual([])
      const rows = await everythingIn(home.folder)
      expect(scan(rows, secrets)).toEqual([])
      return expect(scan(rows, stored)).toContain('code active (plain)')
    }
    const besides = (name: string) => /\.(usage|lock)/.test(name) || name.startsWith(join(home.folder, 'tmp'))
    expect(filesBelow(home.folder).filter(besides).length).toBeGreaterThan(1)
    expect(inFiles(besides, all)).toEqual([])
    // What is stored in clear is found: the scan reads pages and log.
    expect(inFiles((name) => /saleproof\.db(-wal)?$/.test(name), stored).join()).toContain(
      'code active (plain)',
    )
  })

  test('logs every request, and none of them', async () => {
    server.signal('SIGTERM')
    expect((await server.done).code).toBe(0)
    const { stdout, stderr } = server.output
    expect(stdout.split('\n').length).toBeGreaterThan(answers.length * 0.9)
    expect(scan(stdout, all)).toEqual([])
    expect(scan(stderr, all)).toEqual([])
  })
})

describe('a process that fails unexpectedly', () => {
  const fixture = pathToFileURL(join(packageRoot, 'test/processes/canaries/crash.fixture.mjs')).href
  const crashing = (CANARY: string) => ({ ...env, CANARY, NODE_OPTIONS: `--import=${fixture}` })

  test.each<[string, NodeJS.Signals]>([
    ['thrown', 'SIGUSR2'],
    ['rejected', 'SIGHUP'],
  ])('says where, and nothing of what was in the error: %s', async (_, signal) => {
    const server = await spawnServe({ cwd: home.folder, env: crashing(keys.secret) })
    const headers = { 'x-api-key': keys.secret }
    expect((await ask(server.url, { path: operations.listItems.path, headers })).status).toBe(200)
    server.signal(signal)
    expect((await server.done).code).toBe(1)
    const { stdout, stderr } = server.output
    expect(stderr).toMatch(
      /saleproof failed unexpectedly: Error E_CRASH\n(?: {4}at .*crash\.fixture\.mjs:\d+:\d+\)?\n)/,
    )
    expect(scan(stdout + stderr, all)).toEqual([])
    // What was done before is in the log all the same.
    expect(stdout).toContain(operations.listItems.path)
  })

  test('as one of several it is replaced', async () => {
    const server = await spawnServe({
      cwd: home.folder,
      env: { ...crashing(codes.active), WEB_CONCURRENCY: '2' },
    })
    onTestFinished(() => void server.signal('SIGKILL'))
    await expect.poll(() => workersOf(server.pid)).toHaveLength(2)
    // Not the first, which has the port.
    process.kill(workersOf(server.pid).at(-1)!, 'SIGUSR2')
    await expect.poll(() => server.output.stderr).toContain('starting another')
    const sent = { path: operations.listItems.path, headers: { 'x-api-key': keys.secret } }
    await expect.poll(async () => (await ask(server.url, sent)).status).toBe(200)
    server.signal('SIGTERM')
    expect((await server.done).code).toBe(0)
    expect(scan(server.output.stdout + server.output.stderr, all)).toEqual([])
  })
})

describe('commands', () => {
  test('fail without repeating what was wrong', async () => {
    const lines = recordsOf(canaries)
    const mangled = [
      ...lines.map((line) => `${JSON.stringify(line).slice(0, -1)},"${keys.unknown}":"${codes.unknown}"}`),
      ...lines.map((line) =>
        JSON.stringify({ ...line, key: { [keys.unknown]: codes.unknown }, email: [addresses.unknown] }),
      ),
      ...lines.map((line) =>
        JSON.stringify({ ...line, password: passwords.wrong.repeat(100), purchase_code: 7 }),
      ),
      ...all.flatMap(({ value }) => [
        value,
        `{"type":"${value}"}`,
        `{"type":"api_key","${value}`,
        `["${value}"]`,
      ]),
      ...all.map(({ value }) =>
        JSON.stringify({ ...lines[0], email: `${value} ${value}`, username: `${value} ` }),
      ),
      ...all.map(({ value }) =>
        JSON.stringify({ ...lines.at(-1), currency: value, date: value, state: value }),
      ),
      ...all.map(({ value }) =>
        JSON.stringify({ ...lines[3], key: `${value} ü`, workspace: value, expires_at: value }),
      ),
    ]
    expect((await run(['import', '-', '--max-errors', '5000'], mangled.join('\n'))).code).toBe(1)
    expect(
      (await run(['import', '-', '--dry-run'], ndjson([...lines, ...lines, { ...lines[3], workspace: 'x' }])))
        .code,
    ).toBe(1)
    for (const value of [keys.secret, addresses.own])
      for (const args of [
        ['key', 'show', value],
        ['key', 'revoke', value],
        ['item', 'remove', value],
        ['account', 'password', value],
        ['account', 'remove', value],
        ['key', 'create', '--workspace', 'studio', '--expires', value],
        ['key', 'create', '--workspace', 'studio', '--publishable', '--items', value],
      ])
        expect((await run(args, `${passwords.wrong}`)).code, args.slice(0, 2).join(' ')).not.toBe(0)
    expect(scan(said.join('\n'), all)).toEqual([])
  }, 600_000)

  test('say nothing of what they do, but for the result that was asked for', async () => {
    const create = ['account', 'create', '--username', 'eve', '--email', addresses.unknown]
    expect((await run(create, passwords.typed)).code).toBe(0)
    const made = await run(['key', 'create', '--workspace', 'studio', '--name', 'made'], '', { result: true })
    const key = { name: 'key made', value: made.stdout.trim() }
    const id = /key (\w{16}) /.exec(made.stderr)![1]!
    expect((await run(['key', 'show', id], '', { result: true })).stdout.trim()).toBe(key.value)
    const lists = [
      ['key', 'list'],
      ['key', 'list', '--json'],
      ['audit', 'list', '--json'],
    ]
    for (const args of [...lists, ['migrate', '--status']])
      expect((await run(args)).code, args.join(' ')).toBe(0)
    // The server of the tests keeps nothing safe, and has tools of its own for copies: the doctor and these say so.
    const ofFiles = onPostgres ? 1 : 0
    for (const args of [
      ['doctor', '--json'],
      ['backup', 'a.backup'],
    ])
      expect((await run(args)).code, args.join(' ')).toBe(ofFiles)
    const exported = await run(['export'], '', { result: true })
    expect(scan(exported.stdout, [key, { name: 'secret', value: keys.secret }])).toHaveLength(2)
    expect((await run(['restore', 'a.backup', '--force'])).code).toBe(ofFiles)
    expect((await run(['account', 'remove', 'eve'])).code).toBe(0)
    writeFileSync(join(home.folder, 'next'), `${secret.split('').reverse().join('')}\n`)
    expect((await run(['secret', 'rotate', '--to', 'next'])).code).toBe(0)
    expect(scan(said.join('\n'), [...all, key])).toEqual([])
    expect(inFiles((name) => !name.endsWith('/next'), [...secrets, key])).toEqual([])
    if (onPostgres) expect(scan(await everythingIn(home.folder), [...secrets, key])).toEqual([])
  }, 300_000)
})
