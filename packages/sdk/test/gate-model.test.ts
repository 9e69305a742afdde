import { setImmediate } from 'node:timers/promises'
import { cleanPastedCode } from '@saleproof/schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGate, type GateCheck } from '../src/gate/index.ts'
import { createClient } from '../src/index.ts'
import { createMockApi } from '../src/testing/index.ts'
import { defaultRecords } from '../src/testing/records.ts'
import { createMemoryStore } from './memory-store.ts'

// The gate against what the API said: never valid for a refused code, never invalid for a genuine one.

const ttlMs = 10_000
const negativeTtlMs = 5_000
const graceMs = 200_000
// The longest `Retry-After` of the faults below, and the longest back-off after it.
const longestWaitMs = 90_000
// The clock is kept in the store as often as this.
const savedEveryMs = 60_000

/** Two codes in several spellings, and one that was never sold. */
const stored = ['AB-1', 'XY-2']
const spellings = [...stored, 'AB\u20141', '\uff21B-1', 'A\u200bB-1', ' XY\u22122', 'XY-9']
const items = [101, 102]
const faults = [
  'refused',
  'html',
  { status: 503 },
  { status: 429, headers: { 'retry-after': '60' } },
  { status: 401, headers: { 'x-error-code': 'invalid_api_key' }, body: { status: 'error', msg: 'no' } },
] as const

type Action =
  | { readonly do: 'check'; readonly spelling: number; readonly item: number | undefined }
  | { readonly do: 'checkAll' }
  | { readonly do: 'state'; readonly code: number; readonly state: 'active' | 'refunded' }
  | { readonly do: 'fail'; readonly fault: number }
  | { readonly do: 'recover' | 'restart' }
  | { readonly do: 'pass' | 'setBack'; readonly ms: number }
  | { readonly do: 'forget'; readonly spelling: number }

const spellingIndex = fc.nat({ max: spellings.length - 1 })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('check' as const),
      spelling: spellingIndex,
      item: fc.constantFrom(undefined, ...items),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('checkAll' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      code: fc.nat({ max: 1 }),
      state: fc.constantFrom('active' as const, 'refunded' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fail' as const), fault: fc.nat({ max: faults.length - 1 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('recover' as const, 'restart' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 1_000, 4_999, 9_999, 31_000, 61_000, 199_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setBack' as const), ms: fc.constantFrom(5_000, 100_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), spelling: spellingIndex }) },
)

/** What the API says about a spelling: the item of a purchase, or no. */
type Truth = number | 'purchase_not_found' | 'purchase_not_active'

interface Response {
  readonly code: string
  readonly truth: Truth
  readonly at: number
}

function createEnvironment(withStore: boolean, soldTwice: boolean) {
  // The clock of the gate, and a time that never goes back.
  let clock = Date.parse('2026-01-01T00:00:00Z')
  let elapsed = 0
  let hiddenMs = 0
  let fault: (typeof faults)[number] | undefined
  let faultyUntil = Number.NEGATIVE_INFINITY
  const mockApi = createMockApi()
  const [item = 0, otherItem = 0] = items
  for (const record of defaultRecords) {
    if (record.type === 'item') mockApi.load([{ ...record, id: otherItem }])
  }
  mockApi.sell(item, { purchase_code: stored[0] ?? '' })
  if (soldTwice) mockApi.sell(otherItem, { purchase_code: stored[1] ?? '' })

  const states = new Map(stored.slice(0, soldTwice ? 2 : 1).map((code) => [code, 'active']))
  const truthOf = (spelling: string): Truth => {
    const code = cleanPastedCode(spelling)
    if (!states.has(code)) return 'purchase_not_found'
    return states.get(code) === 'active' ? (items[stored.indexOf(code)] ?? 0) : 'purchase_not_active'
  }
  /** What the API said, and what it would have said, in the order of time. */
  const responses: Response[] = []
  const truths: { readonly elapsed: number; readonly of: (spelling: string) => Truth }[] = []
  const noteTruth = () => {
    const snapshot = new Map(spellings.map((spelling) => [spelling, truthOf(spelling)]))
    truths.push({ elapsed, of: (spelling) => snapshot.get(spelling) ?? 'purchase_not_found' })
  }
  noteTruth()

  const { apiKey, baseUrl } = mockApi
  const client = createClient({
    baseUrl,
    apiKey,
    maxRetries: 0,
    async fetch(url, init) {
      const code = new URLSearchParams(String(init.body)).get('purchase_code') ?? ''
      if (fault) mockApi.fail(fault, 1)
      else {
        responses.push({ code, truth: truthOf(code), at: clock })
        // No two responses at the same time: it would be unknown which is newer.
        clock += 1
        elapsed += 1
      }
      return mockApi.fetch(url, init)
    },
  })
  const store = withStore ? { store: createMemoryStore() } : {}
  const open = () =>
    createGate({
      client,
      ttlMs,
      negativeTtlMs,
      onUnknown: { allowCachedMs: graceMs },
      now: () => clock,
      ...store,
    })

  return {
    open,
    truths,
    responses,
    clock: () => clock,
    elapsed: () => elapsed,
    hiddenMs: () => hiddenMs,
    /** Whether a fault may still be remembered. */
    isFaulty: () => !!fault || elapsed < faultyUntil,
    setState(code: string | undefined, state: 'active' | 'refunded') {
      if (code === undefined || !states.has(code)) return
      states.set(code, state)
      mockApi.setPurchaseState(code, state)
      noteTruth()
    },
    setFault(next: typeof fault) {
      if (fault) faultyUntil = elapsed + longestWaitMs
      fault = next
    },
    pass(ms: number) {
      clock += ms
      elapsed += Math.max(0, ms)
      hiddenMs += Math.max(0, -ms)
    },
  }
}

type Environment = ReturnType<typeof createEnvironment>

/** Whether the API would have said so about a spelling at any time in the last `ms`, as far as the clock of the gate tells. */
function wasTrue(
  { truths, elapsed, hiddenMs }: Environment,
  ms: number,
  spelling: string,
  fits: (truth: Truth) => boolean,
) {
  return truths.some((truth, index) => {
    const endedAt = truths[index + 1]?.elapsed ?? Number.POSITIVE_INFINITY
    return endedAt >= elapsed() - ms - hiddenMs() && fits(truth.of(spelling))
  })
}

interface Asked {
  readonly spelling: string
  readonly item: number | undefined
  /** The highest clock since the API last answered, before this check. */
  readonly mark: number
  /** How many responses there had been when the gate last forgot the code. */
  readonly forgottenAt: number
  /** How many responses there had been before this check: a cached result knows of no others. */
  readonly before: number
}

function expectInvalidIsTrue(
  environment: Environment,
  { spelling, item }: Asked,
  found: GateCheck & { outcome: 'invalid' },
) {
  const cachedMs = found.source === 'api' ? 0 : found.reason === 'wrong_item' ? graceMs : negativeTtlMs
  const fits = (truth: Truth) =>
    found.reason === 'wrong_item' ? typeof truth === 'number' && truth !== item : truth === found.reason
  expect(wasTrue(environment, cachedMs, spelling, fits)).toBe(true)
}

/** A yes comes from the last response about the code. */
function expectValidWasTold(environment: Environment, asked: Asked, found: GateCheck & { outcome: 'valid' }) {
  const { spelling, item, mark, before } = asked
  const code = cleanPastedCode(spelling)
  const responses = found.source === 'api' ? environment.responses : environment.responses.slice(0, before)
  const last = responses.findLast((response) => response.code === code)
  expect(last?.truth).toBe(items[stored.indexOf(code)])
  expect(found.purchase).toMatchObject({ purchase_code: code, item: { id: last?.truth } })
  if (item !== undefined) expect(found.purchase.item.id).toBe(item)
  const age = environment.clock() - Number(last?.at)
  if (found.source === 'cache') expect(age).toBeLessThan(ttlMs)
  if (found.source === 'grace') expect(age).toBeLessThan(graceMs)
  if (found.source !== 'api') expect(environment.clock()).toBeGreaterThanOrEqual(mark - savedEveryMs)
}

/** Unknown is for outages. */
function expectUnknownIsNeeded(environment: Environment, isSetBack: boolean) {
  expect(environment.isFaulty() || isSetBack).toBe(true)
}

/** An honest buyer in an outage: the last thing that the API said was yes. */
function expectGrace(
  environment: Environment,
  { spelling, item, mark, forgottenAt, before }: Asked,
  found: GateCheck,
) {
  const said = environment.responses
    .slice(forgottenAt, before)
    .filter((response) => response.code === cleanPastedCode(spelling))
  const last = said.at(-1)
  if (!last || typeof last.truth !== 'number') return
  if (item !== undefined && item !== last.truth) return
  // By the clock, which was set back, an invalid result is newer.
  if (said.some(({ truth, at }) => typeof truth !== 'number' && at >= last.at)) return
  const age = environment.clock() - last.at
  if (environment.clock() < mark || age < 0 || age >= graceMs) return
  if (found.source !== 'api') expect(found.outcome).toBe('valid')
}

async function run(actions: readonly Action[], withStore: boolean, soldTwice: boolean) {
  const environment = createEnvironment(withStore, soldTwice)
  let gate = environment.open()
  let mark = 0
  let isSetBack = false
  const forgotten = new Map<string, number>()

  async function check(spelling: string, item: number | undefined) {
    const before = environment.responses.length
    const asked = { spelling, item, mark, forgottenAt: forgotten.get(cleanPastedCode(spelling)) ?? 0, before }
    const found = await gate.check(spelling, item === undefined ? {} : { itemId: item })
    if (found.outcome === 'invalid') expectInvalidIsTrue(environment, asked, found)
    if (found.outcome === 'valid') expectValidWasTold(environment, asked, found)
    if (found.outcome === 'unknown') expectUnknownIsNeeded(environment, isSetBack)
    expectGrace(environment, asked, found)
    await settle(before)
  }

  /** Lets what runs in the background end, and follows the clock that the gate trusts. */
  async function settle(before: number) {
    for (let turn = 0; turn < 8; turn += 1) await setImmediate()
    const news = environment.responses.slice(before)
    if (news.length > 0) {
      isSetBack = false
      mark = environment.clock()
    }
    mark = Math.max(mark, environment.clock())
  }

  for (const each of actions) {
    if (each.do === 'check') await check(spellings[each.spelling] ?? '', each.item)
    else if (each.do === 'checkAll') {
      const before = environment.responses.length
      const results = await Promise.all(spellings.map((spelling) => gate.check(spelling)))
      for (const [index, found] of results.entries()) {
        const asked = { spelling: spellings[index] ?? '', item: undefined, mark, forgottenAt: 0, before }
        if (found.outcome === 'invalid') expectInvalidIsTrue(environment, asked, found)
      }
      await settle(before)
    } else if (each.do === 'state') environment.setState(stored[each.code], each.state)
    else if (each.do === 'fail') environment.setFault(faults[each.fault])
    else if (each.do === 'recover') environment.setFault(undefined)
    else if (each.do === 'pass') environment.pass(each.ms)
    else if (each.do === 'setBack') {
      environment.pass(-each.ms)
      isSetBack = true
    } else if (each.do === 'forget') {
      await gate.forget(spellings[each.spelling] ?? '')
      forgotten.set(cleanPastedCode(spellings[each.spelling] ?? ''), environment.responses.length)
      // To forget a code the gate looks it up, and so sees the clock.
      await settle(environment.responses.length)
    } else if (withStore) {
      gate = environment.open()
    }
  }
}

it.each([
  ['in memory', false],
  ['in a store', true],
] as const)(
  'with entries %s, no history of sales, refunds and outages makes a wrong result',
  async (_, withStore) => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), fc.boolean(), (actions, soldTwice) =>
        run(actions, withStore, soldTwice),
      ),
      { numRuns: 500 },
    )
  },
)
