import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type GateEvent, type RawStore, sealStore } from '../src/gate/index.ts'
import { type ClientOptions, createClient, type Fetch } from '../src/index.ts'
import { createFileStore } from '../src/node/index.ts'
import { createMockApi } from '../src/testing/index.ts'
import { bodies, purchaseBase, purchaseExtended } from './records.ts'
import { listen } from './server.ts'

const run = promisify(execFile)
const hour = 3_600_000
const pepper = 'a pepper of this installation, 32 characters or more'
const otherPepper = 'a pepper of another installation, as long as the first'

/** A mock API, and gates with their results in one directory; each is like a new start of the program. */
async function setup() {
  const parent = await mkdtemp(join(tmpdir(), 'saleproof-grace-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }))
  const directory = join(parent, 'codes')
  const mockApi = createMockApi()
  const { baseUrl, apiKey, fetch } = mockApi
  const client = createClient({ baseUrl, apiKey, fetch, maxRetries: 0 })
  let time = Date.parse('2026-01-01T00:00:00Z')
  const now = () => time
  const events: GateEvent[] = []
  const start = (storeOptions: { pepper?: string } = {}, of = client) =>
    createGate({
      client: of,
      onUnknown: { allowCachedMs: 72 * hour },
      store: createFileStore({ directory, pepper, now, ...storeOptions }),
      log: (event) => events.push(event),
      now,
    })
  return {
    parent,
    directory,
    mockApi,
    start,
    code: mockApi.sell(101),
    outage: () => mockApi.fail('refused', Number.POSITIVE_INFINITY),
    pass(ms: number) {
      time += ms
    },
    storeErrors: () => events.filter(({ event }) => event === 'store-error').length,
  }
}

/** A file of the store, without its first line. */
const textIn = async (directory: string, name: string) =>
  (await readFile(join(directory, name), 'utf8')).replace(/^.*\n/, '')

describe('a gate with its results in files', () => {
  it('keeps the grace when the program starts again', async () => {
    const { start, code, outage, pass } = await setup()
    expect(await start().check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    expect(await start().check(code)).toMatchObject({ outcome: 'valid', source: 'cache' })
    outage()
    pass(72 * hour - 1)
    expect(await start().check(code, { itemId: 101 })).toMatchObject({
      outcome: 'valid',
      source: 'grace',
      purchase: { purchase_code: code },
    })
    expect(await start().check(code, { itemId: 102 })).toMatchObject({
      outcome: 'invalid',
      reason: 'wrong_item',
    })
    pass(1)
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('keeps a refusal when the program starts again: it ends the grace', async () => {
    const { start, code, mockApi, outage, pass } = await setup()
    await start().check(code)
    mockApi.setPurchaseState(code, 'refunded')
    pass(hour)
    expect(await start().check(code)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_active' })
    outage()
    pass(hour)
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('forgets a code for good', async () => {
    const { start, code, outage } = await setup()
    await start().check(code)
    await start().forget(code)
    outage()
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('has no grace for an entry that was written by hand, altered or moved to another code', async () => {
    const { start, code, directory, outage, storeErrors, pass } = await setup()
    await start().check(code)
    const before = await readdir(directory)
    await start().check('never-sold-0')
    const neverSold = (await readdir(directory)).filter((name) => !before.includes(name))
    outage()
    pass(hour)
    expect(neverSold).toHaveLength(1)
    const valid = { outcome: 'valid', at: Date.parse('2026-01-01T00:00:00Z'), purchase: purchaseBase }
    const texts = [JSON.stringify(valid), btoa(JSON.stringify(valid))]
    for (const name of before) {
      const text = await textIn(directory, name)
      texts.push(text, `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`)
    }
    for (const [index, text] of texts.entries()) {
      for (const name of neverSold) await writeFile(join(directory, name), `9999999999999 valid\n${text}`)
      expect(await start().check('never-sold-0')).toMatchObject({ outcome: 'unknown' })
      expect(storeErrors()).toBeGreaterThan(index)
    }
    expect(await start().check(code)).toMatchObject({ source: 'grace' })
  })

  it('has no grace with another pepper', async () => {
    const { start, code, outage } = await setup()
    await start().check(code)
    outage()
    expect(await start({ pepper: otherPepper }).check(code)).toMatchObject({ outcome: 'unknown' })
    expect(await start().check(code)).toMatchObject({ outcome: 'valid' })
  })

  it('has no grace when the clock was set back below the latest time and the program started again', async () => {
    const { start, code, outage, pass, mockApi } = await setup()
    await start().check(code)
    outage()
    pass(71 * hour)
    expect(await start().check(code)).toMatchObject({ source: 'grace' })
    pass(-70 * hour)
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
    mockApi.recover()
    expect(await start().check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    outage()
    pass(hour)
    expect(await start().check(code)).toMatchObject({ source: 'grace' })
  })

  it('has no grace when the latest time was removed from the store, until the API answers', async () => {
    const { start, code, directory, outage, pass, mockApi } = await setup()
    await start().check(code)
    outage()
    pass(71 * hour)
    expect(await start().check(code)).toMatchObject({ source: 'grace' })
    for (const name of await readdir(directory)) {
      const text = await readFile(join(directory, name), 'utf8')
      if (/^\d+ clock/.test(text)) await rm(join(directory, name))
    }
    pass(-70 * hour)
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
    expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
    mockApi.recover()
    expect(await start().check(code)).toMatchObject({ source: 'api' })
    outage()
    pass(hour)
    expect(await start().check(code)).toMatchObject({ source: 'grace' })
  })

  it('has its grace after a restart soon after another key was sent', async () => {
    const { start, code, outage, pass, mockApi } = await setup()
    const { baseUrl, fetch } = mockApi
    const successor = 'sp_the_successor_0123456789'
    mockApi.load([{ type: 'api_key', workspace: 'demo', key: successor }])
    let key = mockApi.apiKey
    const client = createClient({ baseUrl, apiKey: () => key, fetch, maxRetries: 0 })
    const gate = start({}, client)
    await gate.check(code)
    key = successor
    pass(hour)
    await gate.check(code)
    expect(await gate.check(code)).toMatchObject({ source: 'api' })
    outage()
    pass(hour)
    expect(await start({}, client).check(code)).toMatchObject({ source: 'grace' })
  })

  it('writes the latest time once a minute for each key of a client that alternates between two', async () => {
    const { mockApi } = await setup()
    const other = 'sp_the_other_key_0123456789'
    mockApi.load([{ type: 'api_key', workspace: 'demo', key: other }])
    const keys = [mockApi.apiKey, other]
    let calls = 0
    const { baseUrl, fetch } = mockApi
    const apiKey = () => keys[calls++ % 2] ?? ''
    const client = createClient({ baseUrl, apiKey, fetch, maxRetries: 0 })
    const texts = new Map<string, string>()
    let marks = 0
    const raw: RawStore = {
      get: (key) => texts.get(key),
      set(key, text, _, outcome) {
        texts.set(key, text)
        if (outcome === 'clock') marks += 1
      },
      delete: (key) => texts.delete(key),
    }
    let time = Date.parse('2026-01-01T00:00:00Z')
    const store = sealStore(raw, { pepper })
    const gate = createGate({ client, store, onUnknown: 'deny', now: () => time })
    const checkTen = async () => {
      for (let count = 0; count < 10; count += 1) await gate.check(mockApi.sell(101))
    }
    await checkTen()
    expect([calls, marks]).toEqual([11, 2])
    time += 60_000
    await checkTen()
    expect([calls, marks]).toEqual([21, 4])
  })

  it('has its results after a restart when the clock was corrected by less than a minute', async () => {
    const { start, code, pass } = await setup()
    const gate = start()
    await gate.check(code)
    pass(-30_000)
    expect(await gate.check(code)).toMatchObject({ source: 'api' })
    pass(1)
    expect(await start().check(code)).toMatchObject({ source: 'cache' })
  })

  it('has its grace when the store works again after it failed at the start', async () => {
    const { start, code, directory, outage, pass } = await setup()
    await start().check(code)
    outage()
    pass(hour)
    const gate = start()
    await rename(directory, `${directory} elsewhere`)
    await writeFile(directory, 'a file where the directory was')
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
    await rm(directory)
    await rename(`${directory} elsewhere`, directory)
    expect(await gate.check(code)).toMatchObject({ source: 'grace' })
    pass(-2_000)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('writes no code, no key and no address in clear, in no spelling', async () => {
    const { start, code, directory, mockApi } = await setup()
    const spelling = code.replaceAll('-', '\u2013')
    const gate = start()
    for (const each of [code, spelling, 'never-sold-0', ` ${code}`]) await gate.check(each)
    const files = await readdir(directory)
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const name of files) {
      const bytes = await readFile(join(directory, name))
      const all = [
        name,
        bytes.toString(),
        bytes.toString('latin1'),
        atob(await textIn(directory, name)),
      ].join('\n')
      for (const secret of [code, spelling, 'never-sold-0', mockApi.apiKey, new URL(mockApi.baseUrl).host])
        expect(all).not.toContain(secret)
    }
  })

  it('answers without its directory: a check never fails because of the store', async () => {
    const { start, code, parent, directory, mockApi, pass, outage, storeErrors } = await setup()
    const gate = start()
    await gate.check(code)
    await rm(directory, { recursive: true })
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    expect(storeErrors()).toBe(0)
    await rm(directory, { recursive: true })
    await writeFile(directory, 'a file where the directory was')
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    expect(storeErrors()).toBeGreaterThan(0)
    mockApi.setPurchaseState(code, 'refunded')
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'invalid' })
    await rm(directory)
    await mkdir(directory)
    outage()
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
    expect(await readdir(parent)).toEqual(['codes'])
  })
})

describe('a program that starts again', () => {
  /** The mock API behind a port, and a program that checks one code: a new process each time. */
  async function setupProgram() {
    const { directory, mockApi, code } = await setup()
    const { url, close } = await listen((request, response) => void forward(request, response))
    onTestFinished(close)

    async function forward(request: IncomingMessage, response: ServerResponse) {
      let body = ''
      for await (const chunk of request) body += chunk
      const { method = '', url = '' } = request
      const headers = new Headers(request.headers as Record<string, string>)
      const answer = await mockApi.fetch(mockApi.baseUrl + url, { method, headers, ...(body && { body }) })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    }
    const program = join(import.meta.dirname, 'programs/check-code.ts')
    const node = [process.execPath, '--conditions=@saleproof/source', program]
    return {
      code,
      mockApi,
      close,
      async check(
        options: { code: string; later?: number; pepper?: string; timeoutMs?: number; maxWaitMs?: number },
        shell = 'exec "$@"',
      ) {
        const json = JSON.stringify({
          baseUrl: url,
          apiKey: mockApi.apiKey,
          directory,
          pepper,
          later: 0,
          ...options,
        })
        const { stdout } = await run('sh', ['-c', shell, 'sh', ...node, json])
        return JSON.parse(stdout) as unknown
      },
    }
  }

  it('keeps the grace in an outage, and ends it when the clock was set back', async () => {
    const { check, code, close } = await setupProgram()
    expect(await check({ code })).toEqual({ outcome: 'valid', source: 'api', storeFailed: false })
    await close()
    expect(await check({ code, later: 71 * hour })).toMatchObject({ outcome: 'valid', source: 'grace' })
    expect(await check({ code, later: hour })).toMatchObject({ outcome: 'unknown' })
    expect(await check({ code, later: 71 * hour + 60_000, pepper: otherPepper })).toMatchObject({
      outcome: 'unknown',
    })
    expect(await check({ code, later: 73 * hour })).toMatchObject({ outcome: 'unknown' })
  })

  it('ends at once where it has grace in an outage that is known: no request keeps it running', async () => {
    const { check, code, mockApi } = await setupProgram()
    await check({ code })
    mockApi.fail('hang')
    const grace = { outcome: 'valid', source: 'grace' }
    expect(await check({ code, later: hour, timeoutMs: 100 })).toMatchObject(grace)
    const start = performance.now()
    expect(await check({ code, later: hour, timeoutMs: 30_000 })).toMatchObject(grace)
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it('ends a second after it got grace from a slow API: no request keeps it running', async () => {
    const { check, code, mockApi } = await setupProgram()
    await check({ code })
    mockApi.fail('hang')
    const start = performance.now()
    const slow = { code, later: hour, timeoutMs: 15_000, maxWaitMs: 50 }
    expect(await check(slow)).toMatchObject({ outcome: 'valid', source: 'grace' })
    expect(performance.now() - start).toBeLessThan(13_000)
  })

  it('gets its answer on a full disk, and a refusal there ends the grace', async () => {
    const { check, code, mockApi, close } = await setupProgram()
    const full = 'ulimit -f 0; exec "$@"'
    expect(await check({ code }, full)).toEqual({ outcome: 'valid', source: 'api', storeFailed: true })
    expect(await check({ code })).toMatchObject({ outcome: 'valid', source: 'api' })
    mockApi.setPurchaseState(code, 'refunded')
    expect(await check({ code, later: hour }, full)).toEqual({
      outcome: 'invalid',
      source: 'api',
      storeFailed: true,
    })
    await close()
    expect(await check({ code, later: 2 * hour })).toMatchObject({ outcome: 'unknown' })
  })
})

it('two clients with another base URL, key or shape never share a result of one store', async () => {
  const baseUrls = ['https://one.example.com', 'https://one.example.com/shop', 'https://two.example.com']
  const apiKeys = ['sp_key_of_the_first_workspace', 'sp_key_of_the_second_workspace']
  const shapes = ['base', 'extended', undefined] as const
  const clients = baseUrls.flatMap((baseUrl) =>
    apiKeys.flatMap((apiKey) => shapes.map((shape) => ({ baseUrl, apiKey, ...(shape && { shape }) }))),
  )
  const codes = ['CODE-A', 'CODE-B', 'code-a', '"],["', '\\']
  const nameOf = ({ baseUrl, apiKey, shape }: ClientOptions) => JSON.stringify([baseUrl, apiKey, shape])
  const steps = fc.array(fc.tuple(fc.nat(clients.length - 1), fc.constantFrom(...codes)), {
    minLength: 2,
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const texts = new Map<string, string>()
      const asked: string[] = []
      const gates = clients.map((options) => {
        const name = nameOf(options)
        const fetch: Fetch = async (_url, init) => {
          const code = new URLSearchParams(String(init.body)).get('purchase_code') ?? ''
          asked.push(name + code)
          const purchase = options.shape === 'extended' ? purchaseExtended : purchaseBase
          const item = { ...purchase.item, name }
          return Response.json({
            ...bodies.purchase,
            data: { purchase: { ...purchase, purchase_code: code, item } },
          })
        }
        const store = sealStore(
          {
            get: (key) => texts.get(key),
            set: (key, value) => texts.set(key, value),
            delete: (key) => texts.delete(key),
          },
          { pepper },
        )
        return createGate({ client: createClient({ ...options, fetch }), onUnknown: 'deny', store })
      })
      for (const [index, code] of steps) {
        const options = clients[index]
        const check = await gates[index]?.check(code)
        if (!options || check?.outcome !== 'valid') return expect.unreachable('the code is valid')
        expect(check.purchase.item.name).toBe(nameOf(options))
        expect('version' in check.purchase.item).toBe(options.shape === 'extended')
        if (check.source === 'api') expect(asked.at(-1)).toBe(nameOf(options) + code)
        else expect(asked.some((each) => each.startsWith(nameOf(options)))).toBe(true)
      }
    }),
  )
})
