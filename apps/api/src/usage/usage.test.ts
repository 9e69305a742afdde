import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { usageOf, validation } from '../../test/support/usage.ts'
import { DatabaseError } from '../db/errors.ts'
import { type CountRow, createCounts, hourMs } from './counts.ts'
import type { UsageCall } from './usage-store.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const day = 24 * hourMs

/** Statistics of a workspace with one validation in each of the given hours, and a clock that can be set. */
async function setup(hours: readonly number[], before: (call: UsageCall) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  const clock = { now: Date.parse('2026-06-01T00:00:00Z') }
  const last = Math.floor(clock.now / hourMs)
  const written: CountRow[] = []
  const usage = usageOf(join(folder, 'test.db'), () => clock.now, {
    before(call) {
      before(call)
      const { method, given } = call
      const [batch] = given
      if (method === 'record') written.push(...(batch as { counts: CountRow[] }).counts)
    },
  })
  const counts = hours.map((ago): CountRow => [1, last - ago, 'key', 'k', '', 1])
  await usage.store.record({ counts }, clock.now)
  onTestFinished(async () => {
    await usage.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const hoursAgo = async () => {
    const { rows } = await usage.readStatistics({ workspaceId: 1, from: 0, to: 1e9 })
    return rows.map(({ hour }) => last - hour).sort((one, other) => other - one)
  }
  return { clock, hoursAgo, usage, written }
}

test('a clock that is 100 days ahead for an hour costs no statistics but the oldest hours', async () => {
  const hours = Array.from({ length: 90 * 24 }, (_, hour) => hour)
  const { clock, hoursAgo } = await setup(hours)
  expect(await hoursAgo()).toHaveLength(hours.length)
  clock.now += 100 * day
  await hoursAgo()
  await vi.advanceTimersByTimeAsync(hourMs)
  clock.now -= 100 * day
  const left = await hoursAgo()
  expect(left.length).toBeGreaterThanOrEqual(hours.length - 3)
  expect(left).toEqual(hours.toReversed().slice(-left.length))
})

test('hours of more than 92 days ago are deleted one by one', async () => {
  const old = [100 * 24, 95 * 24, 93 * 24]
  const { hoursAgo } = await setup([...old, 91 * 24, 1])
  expect(await hoursAgo()).toEqual([...old, 91 * 24, 1])
  await vi.advanceTimersByTimeAsync(hourMs / 3)
  expect(await hoursAgo()).toEqual([...old.slice(1), 91 * 24, 1])
  await vi.advanceTimersByTimeAsync(day)
  expect(await hoursAgo()).toEqual([91 * 24, 1])
})

test('codes that a visitor validated are known while usage cannot be written', async () => {
  let isFull = false
  const { usage } = await setup([], ({ method }) => {
    if (isFull && method === 'record') throw new DatabaseError('full', 'SQLITE_FULL')
  })
  const known = () =>
    Promise.all(['written', 'unwritten', 'waiting', 'unknown'].map((code) => usage.knownCodes.has('v', code)))
  usage.knownCodes.note('v', 'written')
  await vi.advanceTimersByTimeAsync(1000)
  isFull = true
  usage.knownCodes.note('v', 'unwritten')
  await vi.advanceTimersByTimeAsync(1000)
  usage.knownCodes.note('v', 'waiting')
  expect(await known()).toEqual([true, true, true, false])
  isFull = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(await known()).toEqual([true, true, true, false])
})

const validated = (itemId: number, workspace = 1, durationMs = 1) =>
  validation({ workspace, durationMs, validated: { code: '', itemId } })

const itemsOf = (rows: readonly CountRow[]) =>
  rows.flatMap(([, , kind, name]) => (kind === 'item' ? [name] : []))

test('counts of many items are all read, also by two at once', async () => {
  const items = 12_345
  const { usage } = await setup([])
  for (const item of Array.from({ length: items }, (_, index) => index)) usage.observe(validated(item))
  const query = { workspaceId: 1, from: 0, to: 1e9 }
  const [read, meanwhile] = await Promise.all([usage.readStatistics(query), usage.readStatistics(query)])
  const keyCount = ({ rows }: typeof read) => rows.find(({ kind }) => kind === 'key')?.count
  expect([keyCount(read), keyCount(meanwhile)]).toEqual([items, items])
})

test('a flush writes the counts of 500 items at most, those first that waited longest', async () => {
  const { usage, written } = await setup([])
  for (let item = 0; item < 1200; item++) usage.observe(validated(item))
  for (const count of [500, 1000, 1200]) {
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitFor(() =>
      expect(itemsOf(written)).toEqual(Array.from({ length: count }, (_, item) => String(item))),
    )
  }
})

test('items of one workspace do not keep those of another waiting', () => {
  const counts = createCounts(() => 1)
  for (let itemId = 0; itemId < 100; itemId++) counts.observe(validated(itemId, 2))
  counts.observe(validated(100, 1))
  expect(itemsOf(counts.take(2))).toEqual(['0', '1'])
  expect(itemsOf(counts.take(2))).toEqual(['100', '2'])
})

function sumsOf(rows: readonly CountRow[]) {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const name = row.slice(0, -1).join(' ')
    sums.set(name, (sums.get(name) ?? 0) + row[5])
  }
  return sums
}

test('whatever is taken when, each validation is counted once', () => {
  const step = fc.oneof(
    fc.record({ itemId: fc.nat(5), workspaceId: fc.constantFrom(1, 2), hour: fc.nat(1) }),
    fc.record({ limit: fc.nat(4) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let hour = 0
      const create = () => createCounts(() => hour * hourMs)
      const [counts, whole] = [create(), create()]
      const taken: CountRow[] = []
      for (const one of steps) {
        if ('limit' in one) {
          const rows = counts.take(one.limit)
          expect(itemsOf(rows).length).toBeLessThanOrEqual(one.limit)
          taken.push(...rows)
        } else {
          hour = one.hour
          for (const each of [counts, whole]) each.observe(validated(one.itemId, one.workspaceId, one.itemId))
        }
      }
      taken.push(...counts.take(Number.POSITIVE_INFINITY))
      expect(sumsOf(taken)).toEqual(sumsOf(whole.take(Number.POSITIVE_INFINITY)))
      expect(counts.take(1)).toEqual([])
    }),
  )
})

test('failures of a code that another process knew before its purchase was removed are not stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let time = 1000
  const [one, other] = [1, 2].map(() => usageOf(join(folder, 'test.db'), () => time)) as [
    ReturnType<typeof usageOf>,
    ReturnType<typeof usageOf>,
  ]
  const failed = (sentCode: string) => validation({ code: 'purchase_not_active', status: 404, sentCode })
  other.observe(failed('AAAA-1111'))
  other.observe(failed('BBBB-2222'))
  time = 2000
  await one.forgetPurchase(1, 'AAAA-1111')
  const codes = async () => {
    const found = await other.readFailedCodes({ workspaceId: 1, reason: 'purchase_not_active' })
    return found.map(({ code }) => code)
  }
  expect(await codes()).toEqual(['BBBB-2222'])
  time = 3000
  other.observe(failed('AAAA-1111'))
  expect(await codes()).toEqual(['AAAA-1111', 'BBBB-2222'])
  await one.close()
  await other.close()
})
