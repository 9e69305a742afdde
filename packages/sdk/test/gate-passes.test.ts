import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type GateEntry, type GateOptions, type GateStore, sealStore } from '../src/gate/index.ts'
import type { Fetch } from '../src/index.ts'
import { createFileStore } from '../src/node/index.ts'
import { verifyPasses } from '../src/passes.ts'
import { createPublishableClient } from '../src/publishable.ts'
import { createMemoryStore } from './memory-store.ts'
import { code, purchaseBase } from './records.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse('2026-01-01T00:00:00Z')
const end = start + 14 * day

const seller = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')

const publicKeyOf = ({ publicKey }: KeyPairKeyObjectResult) => String(publicKey.export({ format: 'jwk' }).x)
const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('base64url')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A pass that was signed at the start, for 14 days. */
function signPass(sold: string, claims: object = {}, pair = seller, named = pair): string {
  const kid = hash(Buffer.from(publicKeyOf(named), 'base64url')).slice(0, 16)
  const said = {
    aud: 'ada-studio',
    sub: hash(`saleproof-pass\0${sold}`),
    item: 101,
    license: 'Regular',
    iat: start / 1_000,
    exp: end / 1_000,
    ...claims,
  }
  const text = `${encode({ alg: 'EdDSA', typ: 'purchase-pass+jwt', kid })}.${encode(said)}`
  return `${text}.${sign(null, Buffer.from(text), pair.privateKey).toString('base64url')}`
}

/** A service, its clock, and gates that are each like a new start of the program. */
function setup(store?: GateStore) {
  const world = {
    time: start,
    requests: 0,
    answer: (sold: string): string | undefined => signPass(sold),
  }
  const now = () => world.time
  const fetch: Fetch = async (_, { body }) => {
    world.requests += 1
    const sold = new URLSearchParams(String(body)).get('purchase_code') ?? ''
    const pass = world.answer(sold)
    if (pass === 'down') throw new TypeError('fetch failed')
    const headers = { 'X-Error-Code': 'purchase_not_active' }
    if (pass === 'refunded') return Response.json({ status: 'error', msg: 'No' }, { status: 404, headers })
    const data = { purchase: { ...purchaseBase, purchase_code: sold } }
    return Response.json({ status: 'success', data }, { headers: pass ? { 'X-Purchase-Pass': pass } : {} })
  }
  const client = createPublishableClient({
    baseUrl: 'https://market.example.com',
    apiKey: 'spp_a_publishable_key',
    maxRetries: 0,
    fetch,
    passes: verifyPasses({ workspace: 'ada-studio', publicKeys: [publicKeyOf(seller)], now }),
  })
  const open = (more: Partial<GateOptions> = {}) => createGate({ client, now, store, ...more })
  return { world, client, open }
}

const unsigned = { outcome: 'unknown', error: { code: 'unsigned_response' } }

const mapStore = () => {
  const texts = new Map<string, string>()
  const raw = {
    get: (key: string) => texts.get(key),
    set: (key: string, text: string) => texts.set(key, text),
    delete: (key: string) => texts.delete(key),
  }
  return sealStore(raw, {})
}

async function fileStore() {
  const directory = await mkdtemp(join(tmpdir(), 'saleproof-passes-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  return createFileStore({ directory })
}

describe.each<[string, () => undefined | GateStore | Promise<GateStore>]>([
  ['in memory', () => undefined],
  ['in a store without a pepper', mapStore],
  ['in files without a pepper', fileStore],
])('a gate with passes, with entries %s', (_, createStore) => {
  it('keeps a code valid while the service is down, until its pass ends', async () => {
    const store = await createStore()
    const { world, open } = setup(store)
    const gate = open()
    // A program may start as often as it likes.
    const check = () => (store ? open() : gate).check(code, { itemId: 101 })
    expect(await check()).toMatchObject({ outcome: 'valid', source: 'api', graceUntil: end })
    world.answer = (sold) => signPass(sold, { exp: (end + day) / 1_000 })
    world.time += day
    expect(await check()).toMatchObject({ outcome: 'valid', source: 'api', graceUntil: end + day })
    world.answer = () => 'down'
    for (const time of [start + day + hour, start + 2 * day, start + 8 * day, end, end + day - 1]) {
      world.time = time
      expect(await check()).toMatchObject({ outcome: 'valid', source: 'grace', graceUntil: end + day })
    }
    expect(await gate.check(code, { itemId: 102 })).toMatchObject({ reason: 'wrong_item' })
    for (const time of [end + day, end + day + 1_000, start + 30 * day, start + 365 * day]) {
      world.time = time
      expect(await check()).toMatchObject({ outcome: 'unknown' })
    }
  })

  it('caches nothing beyond the end of its pass', async () => {
    const { world, open } = setup(await createStore())
    const gate = open({ ttlMs: 2 * hour })
    world.answer = (sold) => signPass(sold, { exp: (start + hour) / 1_000 })
    await gate.check(code)
    world.answer = () => 'down'
    world.time += hour - 1
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'cache' })
    world.time += 1
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('ends with a refusal, and with no forged answer', async () => {
    const { world, open } = setup(await createStore())
    const gate = open()
    await gate.check(code)
    world.time += hour
    world.answer = () => undefined
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
    world.answer = () => 'refunded'
    expect(await gate.check(code)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_active' })
    world.time += hour
    for (const answer of ['down', undefined]) {
      world.answer = () => answer
      expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
      gate.reset()
    }
  })
})

describe('a store that an attacker writes', () => {
  const other = 'BBBB-3333-CCCC-4444'

  /** A gate without a service to ask, with the entry of a code under the key of any other. */
  async function setupAttack() {
    const memory = createMemoryStore()
    const keys: string[] = []
    const get = (key: string) => {
      keys.push(key)
      return memory.get(key)
    }
    const { world, open } = setup({ ...memory, get })
    const gate = open()
    await gate.check(code)
    world.answer = () => 'down'
    await gate.check(other)
    const keyOf = (sold: string) => keys.find((key) => key.endsWith(` ${sold}`)) ?? ''
    const entry = await memory.get(keyOf(code))
    const put = (sold: string, forged: unknown) => memory.set(keyOf(sold), forged as GateEntry, day)
    return { world, gate, entry: entry as GateEntry, put }
  }

  /** Each text that differs from this one in a bit, as far as it is JSON. */
  function* flip(entry: GateEntry): Generator<unknown> {
    const text = JSON.stringify(entry)
    for (let bit = 0; bit < text.length * 7; bit += 1) {
      const at = Math.floor(bit / 7)
      const changed = String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit % 7)))
      try {
        yield JSON.parse(text.slice(0, at) + changed + text.slice(at + 1))
      } catch {}
    }
  }

  it('makes no code valid by a bit of an entry, be it of another code or one whose pass has ended', async () => {
    const { world, gate, entry, put } = await setupAttack()
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid' })
    let count = 0
    const outcomes = new Set<string>()
    for (const [sold, time] of [
      [other, start],
      [code, end],
    ] as const) {
      world.time = time
      for (const forged of flip(entry)) {
        await put(sold, forged)
        outcomes.add((await gate.check(sold)).outcome)
        count += 1
      }
    }
    expect(count).toBeGreaterThan(1_000)
    expect([...outcomes].sort()).not.toContain('valid')
  })

  it('makes no code valid by other entries and other times', async () => {
    const { world, gate, entry, put } = await setupAttack()
    const { purchase } = entry
    if (!purchase) expect.unreachable()
    const item = { ...purchase.item, id: 102 }
    const forgeries: object[] = [
      { ...entry, pass: undefined },
      { ...entry, pass: undefined, until: undefined },
      { ...entry, pass: signPass(other) },
      { ...entry, pass: signPass(code, {}, stranger) },
      { ...entry, pass: signPass(code, { aud: 'another-shop' }) },
      { ...entry, purchase: { ...purchase, item } },
      { ...entry, purchase: { ...purchase, license_type: 'Extended' } },
      { ...entry, until: end + 1 },
      { ...entry, until: null },
      { ...entry, purchase: true },
    ]
    for (const forged of forgeries) {
      await put(code, forged)
      expect([forged, (await gate.check(code)).outcome]).toEqual([forged, 'unknown'])
    }
    await put(code, { ...entry, at: end })
    world.time = end
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
    world.time = start
    await put(code, entry)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  })

  it('is put right by the service', async () => {
    const { world, gate, entry, put } = await setupAttack()
    await put(code, { ...entry, pass: 'forged' })
    gate.reset()
    world.answer = (sold) => signPass(sold)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'cache' })
  })
})

it('accepts none of 1,000 forged answers, which are no outage', async () => {
  const { world, open } = setup()
  const gate = open()
  const month = 30 * day
  const lastMonth = { iat: (start - month) / 1_000, exp: (end - month) / 1_000 }
  const forgeries: ((sold: string) => string | undefined)[] = [
    () => undefined,
    () => signPass(code),
    (sold) => signPass(sold, { item: 102 }),
    (sold) => signPass(sold, { aud: 'another-shop' }),
    (sold) => signPass(sold, lastMonth),
    (sold) => signPass(sold, {}, stranger),
    (sold) => signPass(sold, {}, stranger, seller),
    (sold) => signPass(sold).replace(/[^.]+$/, ''),
  ]
  for (const [kind, forgery] of forgeries.entries()) {
    world.answer = forgery
    for (let count = 0; count < 125; count += 1)
      expect(await gate.check(`${kind}-${count}`)).toMatchObject(unsigned)
  }
  expect(world.requests).toBe(1_000)
  world.answer = (sold) => signPass(sold)
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid' })
})

it.each([mapStore, fileStore])(
  'gains nothing by a clock that was set back in an outage: %o',
  async (createStore) => {
    const { world, open } = setup(await createStore())
    await open().check(code)
    world.answer = () => 'down'
    world.time = end - 1
    expect(await open().check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
    for (const back of [hour, 13 * day, 365 * day]) {
      world.time = end - back
      expect(await open().check(code)).toMatchObject({ outcome: 'unknown' })
    }
  },
)

it('takes no grace beside passes, and no store without a pepper where there are none', () => {
  const { client, open } = setup()
  const refused = expect.objectContaining({ kind: 'configuration' })
  for (const onUnknown of ['deny', { allowCachedMs: hour }] as const)
    expect(() => open({ onUnknown })).toThrow(refused)
  const plain = { checkPurchase: client.checkPurchase }
  expect(() => createGate({ client: plain, onUnknown: 'deny', store: mapStore() })).toThrow(
    'Check `pepper`: it is missing.',
  )
})
