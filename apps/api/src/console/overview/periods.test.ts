import { type OverviewPeriod, overviewPeriods } from '@saleproof/schema/console'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listBuckets, salesBuckets, validationBuckets } from './periods.ts'

const hour = 3_600_000

function edgesOf(period: OverviewPeriod, timezone: string, now: number, lengths = validationBuckets) {
  const { starts, end } = listBuckets(period, timezone, now, lengths)
  return [...starts, end]
}

test('hours end with the current one', () => {
  const { bucket, starts, end } = listBuckets(
    '24h',
    'UTC',
    Date.parse('2026-11-21T15:20:00Z'),
    validationBuckets,
  )
  expect(bucket).toBe('hour')
  expect(starts).toHaveLength(24)
  expect(end).toBe(Date.parse('2026-11-21T16:00:00Z'))
})

test('a day of 23 hours and one of 25 are days', () => {
  const lengths = (now: string) => {
    const edges = edgesOf('30d', 'Europe/Lisbon', Date.parse(now))
    return edges.slice(1).map((edge, index) => (edge - edges[index]!) / hour)
  }
  expect(lengths('2026-04-05T12:00:00Z').filter((length) => length !== 24)).toEqual([23])
  expect(lengths('2026-11-05T12:00:00Z').filter((length) => length !== 24)).toEqual([25])
})

test('a day begins at midnight of the time zone', () => {
  const edges = edgesOf('30d', 'America/Sao_Paulo', Date.parse('2026-11-21T01:00:00Z'))
  expect(new Date(edges.at(-2)!).toISOString()).toBe('2026-11-20T03:00:00.000Z')
})

test('a month has its days so far, a year its months, and everything the months since the first sale', () => {
  const now = Date.parse('2026-03-02T01:00:00Z')
  const starts = (period: OverviewPeriod, first?: number) =>
    listBuckets(period, 'America/Sao_Paulo', now, salesBuckets, first).starts.map((start) =>
      new Date(start).toISOString(),
    )
  expect(starts('month')).toEqual(['2026-03-01T03:00:00.000Z'])
  expect(starts('year')).toEqual(
    ['2026-01', '2026-02', '2026-03'].map((month) => `${month}-01T03:00:00.000Z`),
  )
  expect(starts('all', Date.parse('2025-12-31T12:00:00Z'))).toHaveLength(4)
  expect(starts('all', Date.parse('0001-01-01T00:00:00Z'))).toHaveLength(240)
  expect(starts('all')).toHaveLength(1)
})

test('buckets have no gaps, and the last one contains the current time', () => {
  const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca')
  const time = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) })
  const property = fc.property(fc.constantFrom(...overviewPeriods), zone, time, (period, name, now) => {
    for (const lengths of [validationBuckets, salesBuckets as typeof validationBuckets]) {
      const edges = edgesOf(period, name, now, lengths)
      expect(edges).toEqual(edges.toSorted((a, b) => a - b))
      expect(new Set(edges).size).toBe(edges.length)
      expect(edges.at(-2)).toBeLessThanOrEqual(now)
      expect(edges.at(-1)).toBeGreaterThan(now)
    }
  })
  fc.assert(property)
})
