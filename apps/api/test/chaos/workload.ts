import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { onTestFinished } from 'vitest'
import { account, item, purchase, workspace } from '../exactness/shop.ts'
import { adminToken } from '../faults/serving.ts'
import { type Client, keepConnections, processOf, type Received, type Sent } from '../support/client.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { ndjson } from '../support/harness.ts'
import type { Random } from '../support/random.ts'
import { createRegister, type Register } from './register.ts'

/** A request that has ended. */
export interface Outcome {
  kind: 'read' | 'sale' | 'change' | 'large' | 'direct'
  /** 0 where the connection was closed. */
  status: number
  /** Whether it was sent again, as clients do with a read whose connection was closed. */
  repeated: boolean
  began: number
  ended: number
  /** Undefined where HAProxy responded by itself. */
  process: string | undefined
}

/** Stored values that a response showed, or nothing if it did not know; an error if the response is one that may never be. */
type Seen = readonly (readonly [Register, string])[]

const everyMs = { read: 10, sale: 200, change: 300, large: 30_000 } as const
const largeImport = 10_000
const itemsOfShop = 20
/** A shop elsewhere repeats a write so often, where it got no confirmation. */
const attempts = 4

/** As much of the responses to the other three operations as is compared. */
interface Body {
  data: { balance: number }
  item: { name: string }
  items: readonly { id: number; name: string }[]
}

interface Key {
  text: string
  state: Register
}

interface Sale {
  code: string
  item: number
  state: Register
}

interface Shop {
  slug: string
  items: Map<number, Register>
  keys: Key[]
  publishable: string
  codes: Sale[]
}

const ofAll = createRegister('live')
const neverStored = createRegister('absent')
const noSale = { code: 'NEVER-STORED-ANYWHERE', item: 0, state: neverStored }

const createShop = (number: number): Shop => ({
  slug: `shop-${number}`,
  items: new Map(
    Array.from({ length: itemsOfShop }, (_, index) => {
      const id = number * 1000 + index + 1
      return [id, createRegister(`Item ${id}`)]
    }),
  ),
  keys: [{ text: `sp_test_secret_key_of_shop_${number}`, state: ofAll }],
  publishable: `sp_test_publishable_key_of_${number}`,
  codes: [],
})

const keyRecord = (slug: string, key: string, publishable: boolean) => ({
  type: 'api_key',
  workspace: slug,
  name: key.slice(0, 30),
  key,
  publishable,
})

const isUnavailable = ({ status, headers }: Received) =>
  status === 503 && headers['x-error-code'] === 'unavailable' && /^\d+$/.test(headers['retry-after'] ?? '')

/** Reads and writes at a steady rate, whatever becomes of them, and a model that each response is compared with. */
export function createWorkload(url: string, { pick, below }: Random) {
  const shops = [1, 2, 3, 4].map(createShop)
  const balance = createRegister('0')
  const wire = keepConnections(url)
  const wrong: string[] = []
  let outcomes: Outcome[] = []
  let [count, stopped] = [0, false]

  function judgeWrong(text: string) {
    const line = `${new Date().toISOString()} WRONG ${text}`
    wrong.push(line)
    console.log(line)
  }

  async function request(kind: Outcome['kind'], sent: Sent, ask = wire.ask, repeated = false) {
    const began = performance.now()
    // One whose connection is closed may have been stored or not.
    const response = await ask(sent).catch(() => undefined)
    const process = response?.headers['x-request-id'] && processOf(response)
    outcomes.push({ kind, status: response?.status ?? 0, repeated, began, ended: performance.now(), process })
    return response
  }

  async function read(sent: Sent, seenIn: (response: Received) => Seen) {
    const began = performance.now()
    const response = (await request('read', sent)) ?? (await request('read', sent, wire.ask, true))
    if (!response || isUnavailable(response)) return
    const about = () => `${sent.path} ${response.status} ${response.headers['x-error-code'] ?? ''}`
    let seen: Seen
    try {
      seen = seenIn(response)
    } catch {
      return judgeWrong(`${about()}: ${response.bytes.toString().slice(0, 200)}`)
    }
    for (const [register, value] of seen)
      if (!register.see(value, began))
        judgeWrong(`${about()}: saw ${value}, possible: ${register.possible()}`)
  }

  const failures: Record<string, (key: Register, code: Register) => Seen> = {
    '401 revoked_api_key': (key) => [[key, 'revoked']],
    '404 purchase_not_found': (key, code) => [
      [key, 'live'],
      [code, 'absent'],
    ],
    '404 purchase_not_active': (key, code) => [
      [key, 'live'],
      [code, 'refunded'],
    ],
  }
  const failure = ({ status, headers }: Received, key: Register, code = neverStored): Seen =>
    failures[`${status} ${headers['x-error-code']}`]!(key, code)

  function get(shop: Shop, path: string, seenIn: (body: Body) => Seen) {
    const { text, state } = pick(shop.keys)
    return read({ path, headers: { 'x-api-key': text } }, (response) =>
      response.status === 200
        ? [[state, 'live'], ...seenIn(JSON.parse(response.bytes.toString()))]
        : failure(response, state),
    )
  }

  function validateSomething(shop: Shop) {
    const sale = below(20) ? pick(shop.codes.slice(below(2) ? -20 : 0)) : noSale
    return validate(shop, sale, below(2) ? pick(shop.keys) : { text: shop.publishable, state: ofAll })
  }

  function validate(shop: Shop, { code, item, state }: Sale, key: Key) {
    const body = JSON.stringify({ purchase_code: code })
    const headers = {
      'x-api-key': key.text,
      'content-type': 'application/json',
      'content-length': `${body.length}`,
    }
    return read({ method: 'POST', path: operations.validatePurchase.path, headers, body }, (response) => {
      if (response.status !== 200) return failure(response, key.state, state)
      const { name } = JSON.parse(response.bytes.toString()).data.purchase.item
      return [
        [key.state, 'live'],
        [state, 'active'],
        [shop.items.get(item)!, name],
      ]
    })
  }

  function readSomething() {
    const shop = pick(shops)
    const turn = below(20)
    if (turn < 11) return validateSomething(shop)
    if (turn < 15) return get(shop, operations.getAccount.path, ({ data }) => [[balance, `${data.balance}`]])
    const [id, name] = pick([...shop.items])
    if (turn < 18)
      return get(shop, `${operations.getItem.path}?item_id=${id}`, (body) => [[name, body.item.name]])
    return get(shop, operations.listItems.path, ({ items }) => {
      if (items.length !== itemsOfShop) throw new Error('items are missing')
      return items.map((found) => [shop.items.get(found.id)!, found.name])
    })
  }

  /** Repeats a write until it is confirmed; tells whether it was. */
  async function untilConfirmed(attempt: () => Promise<boolean>) {
    for (let tried = 0; tried < attempts && !stopped; tried++) {
      if (await attempt()) return true
      await sleep((1000 + below(1000)) * 2 ** tried)
    }
    return false
  }

  const importing =
    (kind: Outcome['kind'], records: readonly object[], ask = wire.ask) =>
    async () => {
      const body = ndjson(records)
      const headers = {
        authorization: `Bearer ${adminToken}`,
        'content-length': `${Buffer.byteLength(body)}`,
      }
      const response = await request(kind, { method: 'POST', path: '/admin/import', headers, body }, ask)
      if (response && response.status !== 200 && !isUnavailable(response))
        judgeWrong(`import: ${response.status} ${response.bytes.toString().slice(0, 200)}`)
      return response?.status === 200
    }

  async function importRecords(kind: Outcome['kind'], register: Register, value: string, record: object) {
    let acknowledge = register.write(value)
    const confirmed = await untilConfirmed(async () => {
      const done = await importing(kind, [record])()
      if (done) acknowledge()
      else acknowledge = register.write(value)
      return done
    })
    return confirmed
  }

  const saleOf = (shop: Shop, code: string) => {
    const itemId = pick([...shop.items.keys()])
    return { record: { ...purchase(code), item: itemId }, item: itemId }
  }

  async function sell() {
    const shop = pick(shops)
    const code = `SALE-OF-${shop.slug}-${++count}`
    const { record, item } = saleOf(shop, code)
    const state = createRegister('absent')
    shop.codes.push({ code, item, state })
    await importRecords('sale', state, 'active', record)
  }

  /** All of it or nothing: a reader that sees the first sale sees the last one. */
  async function sellMany(kind: 'large' | 'direct', ask = wire.ask) {
    const shop = pick(shops)
    const prefix = `MANY-OF-${shop.slug}-${++count}`
    const sales = Array.from({ length: largeImport }, (_, index) => saleOf(shop, `${prefix}-${index}`))
    const state = createRegister('absent')
    for (const index of [0, largeImport - 1])
      shop.codes.push({ code: `${prefix}-${index}`, item: sales[index]!.item, state })
    const acknowledge = state.write('active')
    const records = sales.map(({ record }) => record)
    if (await importing(kind, records, ask)()) acknowledge()
  }

  const browser = createBrowser(url)
  const via: Client = async (sent) => {
    const response = await request('change', sent)
    if (!response) return { status: 0, headers: {}, text: '' }
    const text = response.bytes.toString()
    if (response.status !== 200 && response.status !== 503)
      judgeWrong(`${sent.path}: ${response.status} ${text}`)
    return { status: response.status, headers: response.headers, text }
  }

  async function refund() {
    const { slug, codes } = pick(shops)
    const sale = pick(codes)
    if (!sale.state.isSettled('active') || sale.code.startsWith('MANY')) return
    let acknowledge = sale.state.write('refunded')
    const change = { purchase_code: sale.code, state: 'refunded' } as const
    await untilConfirmed(async () => {
      const { status } = await browser.call('setPurchaseState', { slug }, change, { via })
      if (status === 200) acknowledge()
      else acknowledge = sale.state.write('refunded')
      return status === 200
    })
  }

  /** A key that works for a while. */
  async function makeKey() {
    const { slug, keys } = pick(shops)
    const name = `made ${++count}`
    const made = await browser.call('createKey', { slug }, { name, kind: 'secret' }, { via })
    if (made.status !== 200) return
    const { id, api_key: text } = JSON.parse(made.text)
    const state = createRegister('live')
    keys.push({ text, state })
    await sleep(5000 + below(10_000))
    let acknowledge = state.write('revoked')
    await untilConfirmed(async () => {
      const { status } = await browser.call('revokeKey', { slug, id }, undefined, { via })
      if (status === 200) acknowledge()
      else acknowledge = state.write('revoked')
      return status === 200
    })
    // Goes on to be asked for, with those that were revoked last.
    if (keys.length > 12) keys.splice(1, 1)
  }

  const busy = new Set<Register>()
  async function changeRecord(register: Register, value: string, record: object) {
    if (busy.has(register)) return
    busy.add(register)
    await importRecords('change', register, value, record)
    busy.delete(register)
  }

  function changeSomething() {
    const turn = below(6)
    if (turn < 2) return refund()
    if (turn < 3) return makeKey()
    const value = ++count
    if (turn < 4) return changeRecord(balance, `${value}`, { ...account, balance: value })
    const { slug, items } = pick(shops)
    const [id, register] = pick([...items])
    return changeRecord(register, `Item ${id}, ${value}`, { ...item(id, slug), name: `Item ${id}, ${value}` })
  }

  async function load() {
    const records = shops.flatMap(({ slug, items, keys, publishable }) => [
      workspace(slug),
      ...[...items.keys()].map((id) => item(id, slug)),
      keyRecord(slug, keys[0]!.text, false),
      keyRecord(slug, publishable, true),
    ])
    if (!(await importing('large', [{ ...account, balance: 0, password }, ...records])()))
      throw new Error('nothing could be loaded')
    await browser.signIn(account.username)
    while (shops.some(({ codes }) => codes.length < 5)) await sell()
  }

  const running = new Set<Promise<unknown>>()
  async function repeat(kind: keyof typeof everyMs, act: () => Promise<unknown>) {
    for (let next = performance.now(); !stopped; next += everyMs[kind]) {
      await sleep(Math.max(0, next - performance.now()))
      const one = act()
        .catch((error) => judgeWrong(`${kind}: ${error}`))
        .finally(() => running.delete(one))
      running.add(one)
    }
  }

  return {
    wrong,
    judgeWrong,
    async start() {
      onTestFinished(() => {
        stopped = true
      })
      await load()
      void repeat('read', readSomething)
      void repeat('sale', sell)
      void repeat('change', changeSomething)
      void repeat('large', () => sellMany('large'))
    },
    /** A large import through one instance alone. */
    sellManyAt: (instance: string) => sellMany('direct', keepConnections(instance).ask),
    /** What has ended since the last time. */
    takeOutcomes() {
      const taken = outcomes
      outcomes = []
      return taken
    },
    /** Ends it, and asks once more for every purchase. */
    async stop() {
      stopped = true
      await Promise.all(running)
      const all = shops.flatMap((shop) => shop.codes.map((sale) => [shop, sale] as const)).values()
      const askRest = async () => {
        for (const [shop, sale] of all) await validate(shop, sale, shop.keys[0]!)
      }
      await Promise.all(Array.from({ length: 8 }, askRest))
      wire.close()
    },
  }
}

export type Workload = ReturnType<typeof createWorkload>
