import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createRetryBudget,
  firstBackoffMs,
  isRetryableStatus,
  longestBackoffMs,
  parseRetryAfter,
  retryDelay,
} from './retry-timing.ts'

describe('isRetryableStatus', () => {
  it('is 408, 425, 429 and 5xx except 501', () => {
    const retried = Array.from({ length: 500 }, (_, index) => index + 100).filter(isRetryableStatus)
    const server = Array.from({ length: 100 }, (_, index) => index + 500).filter((status) => status !== 501)
    expect(retried).toEqual([408, 425, 429, ...server])
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  it.each([
    [null, undefined],
    ['', undefined],
    ['0', 0],
    ['1', 1_000],
    ['120', 120_000],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['5 GMT', undefined],
    ['GMT 5', undefined],
    ['Thu, 01 Jan 2026 00:00:30 GMT, 5', undefined],
    ['Thu, 01 Jan 2026 00:00:30 GMT+0100', undefined],
    ['2026-01-01', undefined],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['Thu, 99 Xyz 2026 00:00:30 GMT', undefined],
  ])('%j is %s', (header, wait) => {
    expect(parseRetryAfter(header, now)).toBe(wait)
  })

  it('returns the time until an HTTP date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (seconds) => {
        const date = new Date(now + seconds * 1_000).toUTCString()
        expect(parseRetryAfter(date, now)).toBe(Math.max(0, seconds * 1_000))
      }),
    )
  })
})

const attempts = fc.integer({ min: 1, max: 10 })
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const times = fc.double({ min: 0, max: 1e7, noNaN: true })

describe('retryDelay', () => {
  it('is a random time up to a backoff that doubles up to a limit', () => {
    const longest = (attempt: number) => retryDelay(attempt, undefined, 1e9, 1)
    expect([1, 2, 3, 4, 5, 6, 9].map(longest)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
    fc.assert(
      fc.property(attempts, randoms, (attempt, random) => {
        const wait = retryDelay(attempt, undefined, Number.POSITIVE_INFINITY, random)!
        expect(wait).toBe(random * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempt - 1)))
      }),
    )
  })

  it('never shortens Retry-After, and adds at most the first backoff', () => {
    fc.assert(
      fc.property(attempts, times, randoms, (attempt, retryAfterMs, random) => {
        const wait = retryDelay(attempt, retryAfterMs, Number.POSITIVE_INFINITY, random)!
        expect(wait).toBeGreaterThanOrEqual(retryAfterMs)
        expect(wait).toBeLessThanOrEqual(retryAfterMs + firstBackoffMs)
      }),
    )
    expect(retryDelay(5, 100, 1e9, 0.5)).toBe(100 + firstBackoffMs / 2)
    expect(retryDelay(1, 0, 1e9, 0.5)).toBe(firstBackoffMs / 2)
  })

  it('gives up when the wait exceeds the remaining time', () => {
    fc.assert(
      fc.property(
        attempts,
        fc.option(times, { nil: undefined }),
        times,
        randoms,
        (attempt, asked, left, random) => {
          const wait = retryDelay(attempt, asked, left, random)
          const unbounded = retryDelay(attempt, asked, Number.POSITIVE_INFINITY, random)!
          expect(wait).toBe(unbounded < left ? unbounded : undefined)
        },
      ),
    )
    expect(retryDelay(1, 1_000, 1_000, 0)).toBeUndefined()
    expect(retryDelay(1, Number.POSITIVE_INFINITY, 1e12, 0)).toBeUndefined()
  })
})

describe('createRetryBudget', () => {
  it('allows as many retries as it holds, and one more for ten successes', () => {
    const budget = createRetryBudget()
    const spent = () => Array.from({ length: 20 }, budget.spend).filter(Boolean).length
    expect(spent()).toBe(10)
    for (let success = 0; success < 9; success += 1) budget.earn()
    expect(spent()).toBe(0)
    for (let success = 0; success < 2; success += 1) budget.earn()
    expect(spent()).toBe(1)
    for (let success = 0; success < 1_000; success += 1) budget.earn()
    expect(spent()).toBe(10)
  })

  it('never allows more retries than its capacity and a tenth of the successes', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (calls) => {
        const budget = createRetryBudget()
        let allowed = 0
        let successes = 0
        for (const success of calls) {
          if (success) {
            budget.earn()
            successes += 1
          } else if (budget.spend()) allowed += 1
        }
        expect(allowed).toBeLessThanOrEqual(10 + successes / 10 + 1e-6)
      }),
    )
  })
})
