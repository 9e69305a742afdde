import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { RequestEvent } from '../http/request-event.ts'
import { createCounts, hourMs, sum } from './counts.ts'
import { createStatistics } from './statistics.ts'
import { openUsageFile } from './usage-file.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const day = 24 * hourMs

/** Statistics of a workspace with one validation in each of the given hours, and a clock that can be set. */
async function setup(hours: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  const file = openUsageFile(join(folder, 'test.db'))
  const clock = { now: Date.parse('2026-06-01T00:00:00Z') }
  const last = Math.floor(clock.now / hourMs)
  file.appendCounts(
    hours.map((ago) => [1, last - ago, 'key', 'k', '', 1]),
    clock.now,
  )
  const statistics = createStatistics({
    store: () => file,
    logger: pino({ level: 'silent' }),
    now: () => clock.now,
  })
  onTestFinished(async () => {
    await statistics.close()
    file.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const hoursAgo = async () => {
    const { rows } = await statistics.read({ workspaceId: 1, from: 0, to: 1e9 })
    return rows.map(({ hour }) => last - hour).sort((one, other) => other - one)
  }
  return { clock, hoursAgo, statistics, file }
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

const validation = (itemId: number): RequestEvent => ({
  method: 'POST',
  route: null,
  operation: 'validatePurchase',
  status: 200,
  code: null,
  durationMs: 1,
  requestId: '',
  workspace: 1,
  keyId: 'k',
  clientAddress: undefined,
  refusedKey: undefined,
  rawHeaders: [],
  validated: { code: '', itemId },
  sentCode: undefined,
})

test('counts of many items are all read, also by two at once', async () => {
  const items = 12_345
  const { statistics } = await setup([])
  for (const item of Array.from({ length: items }, (_, index) => index)) statistics.observe(validation(item))
  const query = { workspaceId: 1, from: 0, to: 1e9 }
  const [read, meanwhile] = await Promise.all([statistics.read(query), statistics.read(query)])
  const keyCount = ({ rows }: typeof read) => rows.find(({ kind }) => kind === 'key')?.count
  expect([keyCount(read), keyCount(meanwhile)]).toEqual([items, items])
})

test('a flush writes the counts of 500 items at most, those first that waited longest', async () => {
  const { statistics, file } = await setup([])
  const appendCounts = vi.spyOn(file, 'appendCounts')
  for (let item = 0; item < 1200; item++) statistics.observe(validation(item))
  const items = () =>
    appendCounts.mock.calls
      .flatMap(([rows]) => rows)
      .flatMap(([, , kind, name]) => (kind === 'item' ? [name] : []))
  for (const written of [500, 1000, 1200]) {
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitFor(() =>
      expect(items()).toEqual(Array.from({ length: written }, (_, item) => String(item))),
    )
  }
})

test('items of one workspace do not keep those of another waiting', () => {
  const counts = createCounts()
  const add = (workspaceId: number, itemId: number) =>
    counts.add({ workspaceId, keyId: 'k', itemId, code: null, durationMs: 1 }, 1)
  for (let itemId = 0; itemId < 100; itemId++) add(2, itemId)
  add(1, 100)
  const itemsOf = (limit: number) =>
    counts.take(limit).flatMap(([, , kind, name]) => (kind === 'item' ? [name] : []))
  expect(itemsOf(2)).toEqual(['0', '1'])
  expect(itemsOf(2)).toEqual(['100', '2'])
})

test('whatever is taken when, each validation is counted once', () => {
  const step = fc.oneof(
    fc.record({ itemId: fc.nat(5), workspaceId: fc.constantFrom(1, 2), hour: fc.nat(1) }),
    fc.record({ limit: fc.nat(4) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [counts, whole] = [createCounts(), createCounts()]
      const taken = steps.map((one) => {
        if ('limit' in one) {
          const rows = counts.take(one.limit)
          expect(rows.filter(([, , kind]) => kind === 'item').length).toBeLessThanOrEqual(one.limit)
          return rows
        }
        const { hour, itemId, workspaceId } = one
        for (const each of [counts, whole])
          each.add({ workspaceId, keyId: 'k', itemId, code: null, durationMs: itemId }, hour)
        return []
      })
      const rows = sum([...taken, counts.take(Number.POSITIVE_INFINITY)])
      expect(rows.toSorted()).toEqual(whole.take(Number.POSITIVE_INFINITY).toSorted())
      expect(counts.take(1)).toEqual([])
    }),
  )
})
