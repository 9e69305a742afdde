import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorCode } from '@saleproof/schema'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { usageOf, validation } from '../../../test/support/usage.ts'
import type { RequestEvent } from '../../http/request-event.ts'
import { createOverview } from './overview.ts'

const [mine, another] = [1, 2]

const noon = Date.parse('2026-11-21T12:00:00Z')

interface Sent {
  /** Minutes before noon. */
  ago: number
  workspace: number | null
  keyId: string
  code: ErrorCode | null
  itemId: number
  durationMs: number
}

const eventOf = ({ workspace, keyId, code, itemId, durationMs }: Sent): RequestEvent =>
  validation({
    workspace,
    keyId,
    code,
    durationMs,
    validated: code === null ? { code: 'a code', itemId } : undefined,
  })

/** Writes statistics to a real file from several processes in turn, and reads an overview of them. */
async function overviewOf(sent: readonly Sent[], { processes = 2, timezone = 'UTC' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  try {
    const databaseFile = join(folder, 'test.db')
    let time = noon
    const now = () => time
    for (let process = 0; process < processes; process++) {
      const usage = usageOf(databaseFile, now)
      for (const [index, one] of sent.entries()) {
        if (index % processes !== process) continue
        time = noon - one.ago * 60_000
        usage.observe(eventOf(one))
      }
      time = noon
      await usage.close()
    }
    const usage = usageOf(databaseFile, now)
    const overview = createOverview({
      read: usage.readStatistics,
      itemNames: async () => new Map([[1, 'One']]),
      keyNames: async () => new Map([['a', { name: 'Production', last_four: '1234' }]]),
      now,
    })
    const result = await overview({ workspaceId: mine, period: '7d', timezone })
    await usage.close()
    return result
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const one: Sent = { ago: 5, workspace: mine, keyId: 'a', code: null, itemId: 1, durationMs: 0.3 }

test('an hour counts its own validations', async () => {
  const overview = await overviewOf([
    one,
    { ...one, itemId: 2 },
    { ...one, ago: 65, code: 'purchase_not_found', keyId: 'b', durationMs: 40 },
    { ...one, workspace: another },
    { ...one, workspace: null },
  ])
  const others = { not_active: 0, refused: 0, limited: 0, failed: 0 }
  expect(overview.total).toEqual({ valid: 2, not_found: 1, ...others })
  expect(overview.buckets).toHaveLength(168)
  expect(overview.buckets.at(-2)).toMatchObject({
    start: '2026-11-21T11:00:00Z',
    outcomes: { valid: 2 },
    latency: { p50: 0.5, p99: 0.5 },
  })
  expect(overview.buckets.at(-3)).toMatchObject({ outcomes: { not_found: 1 }, latency: { p50: 50, p99: 50 } })
  expect(overview.items.map(({ item_id, name, total }) => [item_id, name, total])).toEqual([
    [1, 'One', 1],
    [2, null, 1],
  ])
  expect(overview.keys.map(({ key_id, name, total, valid }) => [key_id, name, total, valid])).toEqual([
    ['a', 'Production', 2, 2],
    ['b', null, 1, 0],
  ])
  expect(overview.failures).toEqual([{ code: 'purchase_not_found', count: 1 }])
  expect([overview.flushed_at, overview.up_to_date]).toEqual(['2026-11-21T12:00:00Z', true])
})

test('an overview can be empty', async () => {
  const overview = await overviewOf([])
  expect(overview).toMatchObject({ items: [], keys: [], failures: [], latency: null })
  expect(overview.flushed_at).toBe('2026-11-21T12:00:00Z')
})

const arbitrary = fc.record({
  ago: fc.integer({ min: 1, max: 7 * 24 * 60 - 61 }),
  workspace: fc.constantFrom(mine, another),
  keyId: fc.constantFrom('a', 'b', 'c'),
  code: fc.constantFrom(
    null,
    'purchase_not_found' as const,
    'rate_limited' as const,
    'unavailable' as const,
    'missing_parameter' as const,
  ),
  itemId: fc.integer({ min: 1, max: 9 }),
  durationMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
})

test('each validation counts once, in its hour, whichever process handled it', async () => {
  const property = fc.asyncProperty(
    fc.array(arbitrary, { maxLength: 60 }),
    fc.integer({ min: 1, max: 3 }),
    async (sent, processes) => {
      const { buckets, total, keys, items } = await overviewOf(sent, { processes })
      const ofMine = sent.filter(({ workspace }) => workspace === mine)
      const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0)
      expect(sum(Object.values(total))).toBe(ofMine.length)
      expect(sum(keys.map((key) => key.total))).toBe(ofMine.length)
      expect(sum(items.map((item) => item.total))).toBe(ofMine.filter(({ code }) => code === null).length)
      for (const { total, counts } of [...keys, ...items]) expect(sum(counts)).toBe(total)
      for (const [index, { start, outcomes }] of buckets.entries()) {
        const begin = Date.parse(start)
        const end = Date.parse(buckets[index + 1]?.start ?? '2999-01-01T00:00:00Z')
        const within = ofMine.filter(({ ago }) => {
          const time = noon - ago * 60_000
          return time >= begin && time < end
        })
        expect(sum(Object.values(outcomes))).toBe(within.length)
      }
    },
  )
  await fc.assert(property, { numRuns: 30 })
})

test('an overview is of now, however long ago the last validation was, unless counts cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let time = noon - 20 * 60_000
  let broken = false
  const usage = usageOf(join(folder, 'test.db'), () => time, {
    before({ method }) {
      if (broken && method === 'record') throw new Error('disk full')
    },
  })
  const read = async () => {
    const { rows, flushedAt } = await usage.readStatistics({ workspaceId: mine, from: 0, to: 1e9 })
    const counted = rows.filter(({ kind }) => kind === 'key').reduce((sum, { count }) => sum + count, 0)
    return [counted, flushedAt]
  }
  usage.observe(eventOf(one))
  expect(await read()).toEqual([1, noon - 20 * 60_000])
  time = noon
  expect(await read()).toEqual([1, noon])
  broken = true
  usage.observe(eventOf(one))
  time = noon + 60_000
  expect(await read()).toEqual([1, noon - 20 * 60_000])
  usage.observe(eventOf(one))
  broken = false
  expect(await read()).toEqual([3, noon + 60_000])
  await usage.close()
})
