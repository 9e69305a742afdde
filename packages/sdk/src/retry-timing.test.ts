import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstBackoffMs, isRetryableStatus, parseRetryAfter, retryDelay } from './retry-timing.ts'

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
    ['0', undefined],
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
    ['Thu, 01 Jan 2026 00:00:00 GMT', undefined],
    ['Wed, 31 Dec 2025 23:00:00 GMT', undefined],
    ['Thu, 99 Xyz 2026 00:00:30 GMT', undefined],
  ])('%j is %s', (header, wait) => {
    expect(parseRetryAfter(header, now)).toBe(wait)
  })

  it('returns the time until an HTTP date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (seconds) => {
        const date = new Date(now + seconds * 1_000).toUTCString()
        expect(parseRetryAfter(date, now)).toBe(seconds > 0 ? seconds * 1_000 : undefined)
      }),
    )
  })
})

const attempts = fc.integer({ min: 1, max: 10 })
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const times = fc.double({ min: 0, max: 1e7, noNaN: true })

const longest = (attempt: number) => firstBackoffMs * 2 ** (attempt - 1)

describe('retryDelay', () => {
  it('is a random time up to a backoff that doubles', () => {
    const delays = [1, 2, 3, 4].map((attempt) => retryDelay(attempt, undefined, 1))
    expect(delays).toEqual([250, 500, 1_000, 2_000])
    fc.assert(
      fc.property(attempts, randoms, (attempt, random) => {
        expect(retryDelay(attempt, undefined, random)).toBe(random * longest(attempt))
      }),
    )
  })

  it('never shortens Retry-After, and adds at most the backoff', () => {
    fc.assert(
      fc.property(attempts, times, randoms, (attempt, retryAfterMs, random) => {
        const wait = retryDelay(attempt, retryAfterMs, random)
        expect(wait).toBeGreaterThanOrEqual(retryAfterMs)
        expect(wait).toBeLessThanOrEqual(retryAfterMs + longest(attempt))
      }),
    )
    expect(retryDelay(1, 100, 0.5)).toBe(100 + firstBackoffMs / 2)
    expect(retryDelay(1, Number.POSITIVE_INFINITY, 0)).toBe(Number.POSITIVE_INFINITY)
  })
})
