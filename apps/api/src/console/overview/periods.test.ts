import { overviewPeriods } from '@saleproof/schema/console'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketsOf } from './periods.ts'

const hour = 3_600_000

test('hours end with the one that is under way', () => {
  const { bucket, edges } = bucketsOf('24h', 'UTC', Date.parse('2026-11-21T15:20:00Z'))
  expect(bucket).toBe('hour')
  expect(edges).toHaveLength(25)
  expect(edges.at(-1)).toBe(Date.parse('2026-11-21T16:00:00Z'))
})

test('a day of 23 hours and one of 25 are days', () => {
  const lengths = (now: string) => {
    const { edges } = bucketsOf('30d', 'Europe/Lisbon', Date.parse(now))
    return edges.slice(1).map((edge, index) => (edge - edges[index]!) / hour)
  }
  expect(lengths('2026-04-05T12:00:00Z').filter((length) => length !== 24)).toEqual([23])
  expect(lengths('2026-11-05T12:00:00Z').filter((length) => length !== 24)).toEqual([25])
})

test('a day begins at midnight of the time zone', () => {
  const { edges } = bucketsOf('30d', 'America/Sao_Paulo', Date.parse('2026-11-21T01:00:00Z'))
  expect(new Date(edges.at(-2)!).toISOString()).toBe('2026-11-20T03:00:00.000Z')
})

test('buckets follow one another without gaps, and now is in the last', () => {
  const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca')
  const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) })
  const property = fc.property(fc.constantFrom(...overviewPeriods), zone, moment, (period, name, now) => {
    const { edges } = bucketsOf(period, name, now)
    expect(edges).toEqual(edges.toSorted((a, b) => a - b))
    expect(new Set(edges).size).toBe(edges.length)
    expect(edges.at(-2)).toBeLessThanOrEqual(now)
    expect(edges.at(-1)).toBeGreaterThan(now)
  })
  fc.assert(property)
})
