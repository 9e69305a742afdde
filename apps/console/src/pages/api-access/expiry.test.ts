import { expect, test } from 'vitest'
import { computeEnd, computeExpiry, endOfDay } from './expiry.ts'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['never', undefined],
  ['days30', '2026-12-21T12:00:00.000Z'],
  ['days90', '2027-02-19T12:00:00.000Z'],
  ['year', '2027-11-21T12:00:00.000Z'],
  ['day', undefined],
] as const)('%s', (expiry, expected) => {
  expect(computeExpiry(expiry, now)).toBe(expected)
})

test('a key works until the end of its last day', () => {
  expect(endOfDay('2026-12-31')).toBe(new Date(2026, 11, 31, 23, 59, 59, 999).toISOString())
  expect(endOfDay('')).toBeUndefined()
})

test.each([
  ['now', null],
  ['hours24', '2026-11-22T12:00:00.000Z'],
  ['days7', '2026-11-28T12:00:00.000Z'],
  ['days30', '2026-12-21T12:00:00.000Z'],
  ['day', undefined],
] as const)('a rotated key ends: %s', (ending, expected) => {
  expect(computeEnd(ending, now)).toBe(expected)
})
