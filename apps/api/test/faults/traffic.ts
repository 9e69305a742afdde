import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { createWire, headerOf, type Wire, type WireAnswer } from '../support/client.ts'
import { codes, emptyKey, expiredKey, otherKey, revokedKey, secretKey } from '../support/records.ts'

/** Requests whose answers are known: those of the fixture's keys and codes, good and bad ones. */
const read = (key: string, path: string) => ({ path, headers: { 'x-api-key': key } })
function validate(key: string, code: string, type = 'json') {
  const body = JSON.stringify({ purchase_code: code })
  const content = { 'content-type': `application/${type}`, 'content-length': `${body.length}` }
  const headers = { 'x-api-key': key, ...content }
  return { method: 'POST', path: operations.validatePurchase.path, headers, body }
}

export const probes = [
  validate(secretKey, codes.active),
  read(secretKey, operations.getAccount.path),
  read(secretKey, `${operations.getItem.path}?item_id=101`),
  validate(secretKey, codes.video),
  read(secretKey, operations.listItems.path),
  validate(secretKey, codes.refunded),
  validate(otherKey, codes.active),
  validate(secretKey, 'ZZZZ-no-such-code-there'),
  read('sp_test_a_key_that_nobody_has', operations.getAccount.path),
  read(expiredKey, operations.getAccount.path),
  read(revokedKey, operations.listItems.path),
  read(emptyKey, operations.listItems.path),
  // In a format that the fast path leaves to the routes.
  validate(secretKey, codes.active, 'vnd.shop+json'),
]

/** What came, in the terms of the promise: the right answer, "cannot say", or neither. */
interface Outcome {
  kind: 'right' | 'unavailable' | 'wrong'
  probe: number
  answer: string
  milliseconds: number
}

const describeAnswer = ({ status, headers, bytes }: WireAnswer) =>
  `${status} ${headers.find((line) => line.startsWith('X-Error-Code')) ?? ''} ${bytes.slice(0, 80)}`

const isUnavailable = (answer: WireAnswer) =>
  answer.status === 503 &&
  headerOf(answer, 'x-error-code') === 'unavailable' &&
  /^\d+$/.test(headerOf(answer, 'retry-after') ?? '')

/**
 * Asks all the time, over connections that are kept, and judges every answer by what it was before anything went wrong. The pause leaves
 * the processors to what is tested: without it the requests take one of them, as long as a test waits for something.
 */
export async function startTraffic(url: string, { clients = 3, pauseMs = 12 } = {}) {
  const wire: Wire = createWire(url)
  const expected: string[] = []
  for (const sent of probes) expected.push(JSON.stringify(await wire.ask(sent)))
  const outcomes: Outcome[] = []
  let stopped = false

  async function ask(probe: number): Promise<Outcome> {
    const began = performance.now()
    const judged = (kind: Outcome['kind'], answer: string) => ({
      kind,
      probe,
      answer,
      milliseconds: performance.now() - began,
    })
    try {
      const answer = await wire.ask(probes[probe]!)
      if (JSON.stringify(answer) === expected[probe]) return judged('right', '')
      return judged(isUnavailable(answer) ? 'unavailable' : 'wrong', describeAnswer(answer))
    } catch (error) {
      return judged('wrong', String((error as { code?: string }).code))
    }
  }

  async function client(offset: number) {
    for (let turn = offset; !stopped; turn++) {
      outcomes.push(await ask(turn % probes.length))
      await sleep(pauseMs)
    }
  }

  const running = Array.from({ length: clients }, (_, number) => client(number * 5))

  /** Waits until every probe has been answered so after now, without another answer in between. */
  async function until(kind: Outcome['kind'], withinMs = 60_000) {
    const end = performance.now() + withinMs
    let from = outcomes.length
    for (;;) {
      const since = outcomes.slice(from)
      const last = since.findLastIndex((outcome) => outcome.kind !== kind)
      if (last >= 0) from += last + 1
      if (new Set(outcomes.slice(from).map(({ probe }) => probe)).size === probes.length) return
      if (performance.now() > end) throw new Error(`not ${kind} within ${withinMs} ms: ${summary()}`)
      await sleep(10)
    }
  }

  function summary() {
    const counts = { right: 0, unavailable: 0, wrong: 0 }
    for (const { kind } of outcomes) counts[kind]++
    const longest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds))
    const wrong = [...new Set(outcomes.filter(({ kind }) => kind === 'wrong').map(({ answer }) => answer))]
    return JSON.stringify({ ...counts, longest: Math.round(longest), wrong: wrong.slice(0, 5) })
  }

  return {
    until,
    /** How many answers there were of a kind. */
    count: (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length,
    /** Ends it and gives what no answer may be, and the longest that anybody waited. */
    async stop() {
      stopped = true
      await Promise.all(running)
      wire.close()
      const longest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds))
      return { wrong: outcomes.filter(({ kind }) => kind === 'wrong'), longest, summary: summary() }
    },
  }
}

export type Usage = Awaited<ReturnType<typeof startTraffic>>
