import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sealed } from '../src/gate/gate-store.ts'
import {
  createGate,
  createRedisStore,
  type GateEntry,
  type GateEvent,
  type GateOptions,
  type GateStore,
  type RawStore,
  sealStore,
} from '../src/gate/index.ts'
import { openStore } from '../src/gate/open-store.ts'
import { type ClientOptions, createClient } from '../src/index.ts'
import { createFileStore } from '../src/node/index.ts'
import { createMockApi } from '../src/testing/index.ts'
import { createMemoryStore } from './memory-store.ts'

const minute = 60_000
const hour = 60 * minute
const pepper = 'a pepper of this installation, 32 characters or more'

/** A gate before a mock API, with a clock that the test sets. */
function setup(options: Partial<GateOptions> = {}) {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const mockApi = createMockApi()
  const client = createClient({
    baseUrl: mockApi.baseUrl,
    apiKey: mockApi.apiKey,
    fetch: mockApi.fetch,
    maxRetries: 0,
    timeoutMs: 500,
  })
  const open = (more: Partial<GateOptions> = {}) =>
    createGate({ client, now: () => time, onUnknown: { allowCachedMs: 72 * hour }, ...options, ...more })
  return {
    mockApi,
    client,
    open,
    gate: open(),
    code: mockApi.sell(101),
    pass: (ms: number) => {
      time += ms
    },
  }
}

/** A store as an external one is: everything through JSON, later. */
function externalStore() {
  const texts = new Map<string, string>()
  let broken: 'get' | 'set' | 'hang' | undefined
  const store: GateStore = {
    [sealed]: openStore,
    async get(key) {
      if (broken === 'hang') return new Promise(() => {})
      if (broken === 'get') throw new Error('the store is down')
      const text = texts.get(key)
      return text === undefined ? undefined : (JSON.parse(text) as GateEntry)
    },
    async set(key, entry) {
      if (broken) throw new Error('the store is down')
      texts.set(key, JSON.stringify(entry))
    },
    async delete(key) {
      texts.delete(key)
    },
  }
  return {
    store,
    texts,
    breakIt: (how: typeof broken) => {
      broken = how
    },
  }
}

const stores = {
  'in memory': () => ({}),
  'in an external store': () => ({ store: externalStore().store }),
} as const

describe.each(Object.entries(stores))('a gate with its store %s', (_, storeOptions) => {
  it('asks once within the time to live, and again after it', async () => {
    const { gate, mockApi, code, pass } = setup(storeOptions())
    const first = await gate.check(code, { itemId: 101 })
    expect(first).toMatchObject({
      outcome: 'valid',
      source: 'api',
      purchase: { purchase_code: code, item: { id: 101 } },
    })
    pass(15 * minute - 1)
    expect(await gate.check(code)).toMatchObject({
      outcome: 'valid',
      source: 'cache',
      purchase: { purchase_code: code },
    })
    expect(mockApi.requests).toHaveLength(1)
    pass(1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    expect(mockApi.requests).toHaveLength(2)
  })

  it('caches an invalid result for a shorter time', async () => {
    const { gate, mockApi, pass } = setup(storeOptions())
    expect(await gate.check('never-sold-0')).toEqual({
      outcome: 'invalid',
      reason: 'purchase_not_found',
      source: 'api',
      graceUntil: undefined,
    })
    pass(30_000 - 1)
    expect(await gate.check('never-sold-0')).toMatchObject({ outcome: 'invalid' })
    expect(mockApi.requests).toHaveLength(1)
    mockApi.sell(101, { purchase_code: 'never-sold-0' })
    pass(1)
    expect(await gate.check('never-sold-0')).toMatchObject({ outcome: 'valid', source: 'api' })
  })

  it('detects another item from the cached purchase', async () => {
    const { gate, mockApi, code } = setup(storeOptions())
    expect(await gate.check(code, { itemId: 102 })).toMatchObject({
      outcome: 'invalid',
      reason: 'wrong_item',
    })
    expect(await gate.check(code, { itemId: 101 })).toMatchObject({ outcome: 'valid', source: 'cache' })
    expect(mockApi.requests).toHaveLength(1)
  })

  it('sends one request for a hundred concurrent checks', async () => {
    const { gate, mockApi, code } = setup(storeOptions())
    const checks = await Promise.all(Array.from({ length: 100 }, () => gate.check(code)))
    expect(checks.every(({ outcome }) => outcome === 'valid')).toBe(true)
    expect(mockApi.requests).toHaveLength(1)
  })

  it('still serves other callers when the first one aborts', async () => {
    const { gate, mockApi, code } = setup(storeOptions())
    const leader = new AbortController()
    const checks = [gate.check(code, { signal: leader.signal }), gate.check(code), gate.check(code)]
    leader.abort()
    const [first, ...others] = await Promise.allSettled(checks)
    // On a busy machine it looks into the store after the others have filled it.
    const isServed = first?.status === 'fulfilled'
    expect(first).toMatchObject(isServed ? { value: { source: 'grace' } } : { reason: { kind: 'aborted' } })
    for (const other of others)
      expect(other).toMatchObject({ status: 'fulfilled', value: { outcome: 'valid' } })
    expect(mockApi.requests).toHaveLength(1)
  })

  it('keeps a valid code valid during an outage, for the grace at most', async () => {
    const { gate, mockApi, code, pass } = setup(storeOptions())
    await gate.check(code)
    mockApi.fail('refused', Number.POSITIVE_INFINITY)
    expect(await gate.check('another-code')).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'connection' },
    })
    pass(72 * hour - 1)
    expect(await gate.check(code)).toMatchObject({
      outcome: 'valid',
      source: 'grace',
      purchase: { purchase_code: code },
    })
    // The probe of that check ends.
    await setImmediate()
    expect(await gate.check(code, { itemId: 102 })).toMatchObject({
      outcome: 'invalid',
      reason: 'wrong_item',
    })
    pass(1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown', error: { kind: 'connection' } })
    mockApi.recover()
    pass(minute)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  })

  it('does not extend the grace by using it', async () => {
    const { gate, mockApi, code, pass } = setup(storeOptions())
    await gate.check(code)
    mockApi.fail('dns', Number.POSITIVE_INFINITY)
    for (let hours = 0; hours < 71; hours += 1) {
      pass(hour)
      expect(await gate.check(code)).toMatchObject({ source: 'grace' })
    }
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('prefers an invalid result of the API over the cache, also in an outage', async () => {
    const { gate, mockApi, code, pass } = setup(storeOptions())
    await gate.check(code)
    mockApi.setPurchaseState(code, 'refunded')
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_active' })
    mockApi.fail('refused', Number.POSITIVE_INFINITY)
    expect(await gate.check(code)).toMatchObject({ outcome: 'invalid' })
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('never treats an entry as fresh when the clock was set back', async () => {
    const { gate, mockApi, code, pass } = setup(storeOptions())
    await gate.check(code)
    pass(-1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    mockApi.fail('refused', Number.POSITIVE_INFINITY)
    pass(10 * minute)
    expect(await gate.check(code)).toMatchObject({ source: 'cache' })
    pass(-1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
    pass(-hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('has no grace with onUnknown deny', async () => {
    const { open, mockApi, code, pass } = setup(storeOptions())
    const gate = open({ onUnknown: 'deny' })
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', graceUntil: undefined })
    mockApi.fail('refused', Number.POSITIVE_INFINITY)
    pass(hour)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('rejects a malformed code without a request, and invalid options', async () => {
    const { gate, mockApi, code } = setup(storeOptions())
    for (const wrong of ['', ' ', 'a\nb', 'x'.repeat(256), undefined, 7]) {
      expect(await gate.check(wrong as string)).toEqual({
        outcome: 'invalid',
        reason: 'malformed_code',
        source: 'local',
        graceUntil: undefined,
      })
    }
    await expect(gate.check(code, { itemId: undefined as unknown as number })).rejects.toMatchObject({
      kind: 'configuration',
    })
    await expect(gate.check(code, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' })
    expect(mockApi.requests).toHaveLength(0)
  })
})

describe('an external store', () => {
  it('is shared between processes: a later invalid result wins over a slower valid one', async () => {
    const { store } = externalStore()
    const { open, mockApi, code, pass } = setup({ store })
    const answered = Promise.withResolvers<() => void>()
    const { baseUrl, apiKey } = mockApi
    const client = createClient({
      baseUrl,
      apiKey,
      async fetch(...args) {
        const response = await mockApi.fetch(...args)
        await new Promise<void>(answered.resolve)
        return response
      },
    })
    const slow = open({ client })
    const late = slow.check(code)
    const release = await answered.promise
    mockApi.setPurchaseState(code, 'revoked')
    pass(1)
    expect(await open().check(code)).toMatchObject({ outcome: 'invalid' })
    release()
    expect(await late).toMatchObject({ outcome: 'invalid' })
    expect(await open().check(code)).toMatchObject({ outcome: 'invalid' })
  })

  it('keeps an invalid result that another process writes while a slower valid one is written', async () => {
    const texts = new Map<string, string>()
    const raw: RawStore = {
      get: (name) => texts.get(name),
      set: (name, text) => texts.set(name, text),
      delete: (name) => texts.delete(name),
    }
    const { open, mockApi, code, pass } = setup({ store: sealStore(raw, { pepper }) })
    async function refund(outcome: string) {
      if (outcome !== 'valid') return
      mockApi.setPurchaseState(code, 'refunded')
      pass(1)
      expect(await open().check(code)).toMatchObject({ outcome: 'invalid' })
    }
    const slow: RawStore = {
      ...raw,
      async set(name, text, _, outcome) {
        await refund(outcome)
        texts.set(name, text)
      },
      async replace(name, previous, text, _, outcome) {
        await refund(outcome)
        return texts.get(name) === previous && !!texts.set(name, text)
      },
    }
    const gate = open({ store: sealStore(slow, { pepper }) })
    expect(await gate.check(code)).toMatchObject({ outcome: 'invalid' })
    expect(await open().check(code)).toMatchObject({ outcome: 'invalid' })
  })

  it('has processes ask once, at first and at the end of the time to live', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'saleproof-gate-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const { open, mockApi, code, pass } = setup()
    const { baseUrl, apiKey } = mockApi
    const client = createClient({
      baseUrl,
      apiKey,
      async fetch(...args) {
        await pause(100)
        return mockApi.fetch(...args)
      },
    })
    const start = () => open({ client, store: createFileStore({ directory, pepper }) })
    const gates = [start(), start(), start()]
    for (let asked = 1; asked <= 2; asked += 1) {
      const checks = await Promise.all([...gates, ...gates].map((gate) => gate.check(code)))
      expect(checks.map(({ outcome }) => outcome)).toEqual(Array(6).fill('valid'))
      expect(mockApi.requests).toHaveLength(asked)
      pass(hour)
    }
  })

  it('waits two seconds for a process that was killed while it asked', async () => {
    const store = createMemoryStore()
    const { open, code } = setup({ store: { ...store, delete: async () => {} }, onUnknown: 'deny' })
    await open({ ttlMs: 0 }).check(code)
    const start = performance.now()
    expect(await open({ ttlMs: 0 }).check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    expect(performance.now() - start).toBeGreaterThan(1_500)
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  it('keeps valid results in memory where Redis has no EVAL', async () => {
    const texts = new Map<string, string>()
    const store = () =>
      createRedisStore(
        async ([name, key = '', text = '']) => {
          if (name === 'EVAL') throw new Error('ERR unknown command')
          if (name === 'SET') texts.set(key, text)
          return texts.get(key)
        },
        { pepper },
      )
    const { open, mockApi, code, pass } = setup()
    const gate = open({ store: store() })
    for (const source of ['api', 'cache']) expect(await gate.check(code)).toMatchObject({ source })
    expect(await open({ store: store() }).check(code)).toMatchObject({ source: 'api' })
    mockApi.setPurchaseState(code, 'refunded')
    pass(hour)
    for (const source of ['api', 'cache']) expect(await gate.check(code)).toMatchObject({ source })
    expect(await open({ store: store() }).check(code)).toMatchObject({ outcome: 'invalid', source: 'cache' })
  })

  const resources = (...names: string[]) => ({
    value: () => ['PipeWrap', 'TCPSocketWrap', 'Timeout', ...names],
  })
  const notThere = () => {
    throw new Error('not implemented')
  }

  it.each<[process: string, isAborted: boolean, PropertyDescriptorMap]>([
    ['has nothing else to do', true, { getActiveResourcesInfo: resources() }],
    ['waits for a check', false, { getActiveResourcesInfo: resources('Timeout') }],
    ['serves', false, { getActiveResourcesInfo: resources('TCPServerWrap') }],
    ['is a worker of a cluster', false, { channel: { value: {} }, getActiveResourcesInfo: resources() }],
    ['is Electron', false, { versions: { value: { electron: '1' } }, getActiveResourcesInfo: resources() }],
    ['is a stand-in for Workers', false, { getActiveResourcesInfo: { value: notThere } }],
  ])(
    'aborts a request after a second, and throws at no check, where the process %s: %s',
    async (_, isAborted, properties) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      vi.stubGlobal('process', Object.create(process, { channel: { value: undefined }, ...properties }))
      onTestFinished(() => {
        vi.unstubAllGlobals()
        vi.useRealTimers()
      })
      const times = { now: Date.now, ttlMs: minute, negativeTtlMs: minute, graceMs: minute }
      const { run } = openStore({ store: createMemoryStore(), ...times })
      const { promise, reject } = Promise.withResolvers<string>()
      let signal: AbortSignal | undefined
      const running = run(
        'id CODE',
        (given) => {
          signal = given
          given?.addEventListener('abort', () => reject(new Error('aborted')))
          return promise
        },
        true,
      )
      vi.advanceTimersByTime(1_000)
      expect(signal?.aborted).toBe(isAborted)
      if (isAborted) expect(await running).toBeUndefined()
    },
  )

  it('answers with a store that never replaces anything', async () => {
    const { open, code } = setup({ store: { ...createMemoryStore(), replace: async () => false } })
    expect(await open().check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  })

  it('keeps the grace after a restart, unless the clock was set back before its last use', async () => {
    const { store } = externalStore()
    const { open, mockApi, code, pass } = setup({ store })
    await open().check(code)
    mockApi.fail('tls', Number.POSITIVE_INFINITY)
    pass(48 * hour)
    expect(await open().check(code)).toMatchObject({ source: 'grace' })
    pass(-24 * hour)
    expect(await open().check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it.each(['get', 'set', 'hang'] as const)(
    'may fail (%s): the gate asks the API, and an invalid result stays one',
    async (how) => {
      const { store, breakIt } = externalStore()
      const events: GateEvent[] = []
      const { gate, mockApi, code, pass } = setup({ store, log: (event) => events.push(event) })
      expect(await gate.check(code)).toMatchObject({ outcome: 'valid' })
      breakIt(how)
      pass(hour)
      mockApi.setPurchaseState(code, 'refunded')
      expect(await gate.check(code)).toMatchObject({ outcome: 'invalid' })
      mockApi.fail('refused', Number.POSITIVE_INFINITY)
      pass(hour)
      breakIt(undefined)
      expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
      expect(events).toContainEqual({
        event: 'store-error',
        error: expect.objectContaining({ name: 'Error' }),
      })
    },
  )
})

it('waits for a store that hangs once, not for each check', async () => {
  const { store, breakIt } = externalStore()
  const { gate, code } = setup({ store })
  await gate.check(code)
  breakIt('hang')
  const start = performance.now()
  for (let count = 0; count < 20; count += 1) await gate.check(code)
  // Half a second for one; 10 s if each waited.
  expect(performance.now() - start).toBeLessThan(6_000)
})

it('blocks one thread of Node.js where files block, and queues no more for them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-gate-'))
  const [directory, pipe] = [join(folder, 'codes'), join(folder, 'pipe')]
  const { mockApi, open } = setup()
  const openFiles = () => createFileStore({ directory, pepper })
  const sell = () => Array.from({ length: 20 }, () => mockApi.sell(101))
  const codes = sell()
  const first = open({ store: openFiles() })
  for (const code of codes) await first.check(code)
  execFileSync('mkfifo', [pipe])
  for (const name of await readdir(directory)) {
    await rm(join(directory, name))
    await link(pipe, join(directory, name))
  }
  // What waits for a writer of the pipe goes on, and finds nothing.
  const release = () => closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true })
    release()
    rmSync(folder, { recursive: true })
  })
  const store = openFiles()
  const gate = open({ store })
  const checks = await Promise.all(codes.map((code) => gate.check(code)))
  expect(checks.map(({ outcome, source }) => `${outcome} ${source}`)).toEqual(Array(20).fill('valid api'))
  const other = readFile(import.meta.filename, 'utf8').then(() => 'read')
  expect(await Promise.race([other, pause(1_000, 'blocked')])).toBe('read')
  for (const code of sell()) await gate.check(code)
  for (const name of await readdir(directory)) await rm(join(directory, name))
  release()
  // In its turn.
  expect(await store.get('another')).toBeUndefined()
  expect(await readdir(directory)).toEqual([])
})

it('reads on where writes hang: half a second for one check, and no grace after the clock was set back', async () => {
  const { store } = externalStore()
  const { open, mockApi, code, pass } = setup({ store })
  await open().check(code)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  pass(hour)
  const hang = () => new Promise<never>(() => {})
  const start = () => open({ store: { ...store, set: hang, replace: hang, delete: hang } })
  const gate = start()
  const startedAt = performance.now()
  for (let count = 0; count < 20; count += 1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
  expect(performance.now() - startedAt).toBeLessThan(6_000)
  await gate.forget(code)
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  pass(-hour - 1)
  for (const each of [gate, start()]) expect(await each.check(code)).toMatchObject({ outcome: 'unknown' })
})

it('takes a stall of the process for none of the store', async () => {
  const { store } = externalStore()
  const { open, mockApi, code, pass } = setup({ store })
  await open().check(code)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  pass(hour)
  let stallMs = 700
  async function get(key: string) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
    stallMs = 0
    await pause(10)
    return store.get(key)
  }
  const events: GateEvent[] = []
  const gate = open({ store: { ...store, get }, log: (event) => events.push(event) })
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
  expect(events).toEqual([])
})

it('reads files whose locks other processes hold', async () => {
  // By a clock that stands still no lock is old.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const directory = await mkdtemp(join(tmpdir(), 'saleproof-gate-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  const { open, mockApi, code, pass } = setup()
  const start = () => open({ store: createFileStore({ directory, pepper }) })
  await start().check(code)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  pass(hour)
  for (const name of await readdir(directory)) {
    const lock = join(directory, `${name}.lock`)
    await mkdir(join(lock, 'a text'), { recursive: true })
    await utimes(lock, new Date(), new Date())
  }
  const gate = start()
  for (let count = 0; count < 2; count += 1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
})

it('keeps a guess for a minute, and a no that ended a yes as long as grace', async () => {
  const kept: Record<string, number[]> = { valid: [], invalid: [] }
  const { store } = externalStore()
  const set: GateStore['set'] = (key, entry, keepMs) => {
    kept[entry.outcome]?.push(keepMs)
    return store.set(key, entry, keepMs)
  }
  const { gate, mockApi, code, pass } = setup({ store: { ...store, set } })
  await gate.check('guess')
  await gate.check(code)
  mockApi.setPurchaseState(code, 'refunded')
  pass(hour)
  await gate.check(code)
  expect(kept).toEqual({ valid: [72 * hour], invalid: [minute, 72 * hour] })
})

it('waits two seconds for a slow API where there is grace, and asks on in the background', async () => {
  const { open, mockApi, code, pass } = setup()
  let slow = false
  const answers = Promise.withResolvers<void>()
  const fetch: ClientOptions['fetch'] = async (...args) => {
    if (slow) await answers.promise
    return mockApi.fetch(...args)
  }
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch })
  const gate = open({ client, maxWaitMs: 100 })
  await gate.check(code)
  pass(hour)
  slow = true
  mockApi.setPurchaseState(code, 'refunded')
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
  answers.resolve()
  await expect.poll(() => gate.check(code)).toMatchObject({ outcome: 'invalid', source: 'cache' })
})

it('waits for no slow API where another process noted an outage', async () => {
  const { store } = externalStore()
  const { open, mockApi, code, pass } = setup({ store })
  const start = async (expected: object) => {
    const began = performance.now()
    expect(await open().check(code)).toMatchObject(expected)
    return performance.now() - began
  }
  await start({ source: 'api' })
  pass(hour)
  mockApi.fail('hang')
  // The requests of these clients end after half a second.
  expect(await start({ source: 'grace' })).toBeGreaterThan(400)
  const others = await Promise.all(Array.from({ length: 5 }, () => start({ source: 'grace' })))
  expect(Math.min(...others)).toBeLessThan(400)
  mockApi.recover()
  pass(hour)
  await start({ source: 'api' })
})

it('gives grace to a check that is aborted, if there is some', async () => {
  const { gate, mockApi, code, pass } = setup()
  await gate.check(code)
  pass(hour)
  mockApi.fail('hang', 2)
  for (const [asked, expected] of [
    [code, { status: 'fulfilled', value: { outcome: 'valid', source: 'grace' } }],
    ['another', { status: 'rejected', reason: { kind: 'aborted' } }],
  ] as const) {
    const controller = new AbortController()
    const check = gate.check(asked, { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    expect((await Promise.allSettled([check]))[0]).toMatchObject(expected)
  }
})

it.each([
  { ttlMs: -1 },
  { ttlMs: Number.NaN },
  { onUnknown: undefined as never },
  { onUnknown: 'allow' as never },
  { onUnknown: { allowCachedMs: 0 } },
  { onUnknown: { allowCachedMs: 0.5 } },
  { onUnknown: 5_000 as never },
  { onUnknown: null as never },
  { onUnknown: { allowCachedMs: Number.POSITIVE_INFINITY } },
  { onUnknown: { allowCachedMs: 31 * 24 * hour } },
  { store: { get: async () => undefined, set: async () => {}, delete: async () => {} } as never },
  { negativeTtlMs: 0.5 },
])('refuses the option %o', (option) => {
  expect(() => setup(option)).toThrow(expect.objectContaining({ kind: 'configuration' }))
})

it('takes times out of variables of the environment', async () => {
  const { open, code } = setup()
  const gate = open({ onUnknown: { allowCachedMs: '1000' as never }, ttlMs: '500' as never })
  const check = await gate.check(code)
  if (check.outcome !== 'valid') expect.unreachable()
  expect(check.graceUntil).toBe(check.checkedAt + 1_000)
})

it('keeps a valid result that follows an invalid result at the same time', async () => {
  const { open, mockApi, code } = setup()
  const gate = open({ ttlMs: 0, negativeTtlMs: 0 })
  mockApi.setPurchaseState(code, 'refunded')
  expect(await gate.check(code)).toMatchObject({ outcome: 'invalid' })
  mockApi.setPurchaseState(code, 'active')
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid' })
  mockApi.fail('refused')
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
})
