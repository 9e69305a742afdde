import { expect, test } from 'vitest'
import { computeEnd } from './expiry.ts'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['now', null],
  ['hours24', '2026-11-22T12:00:00.000Z'],
  ['days7', '2026-11-28T12:00:00.000Z'],
  ['days30', '2026-12-21T12:00:00.000Z'],
  ['days90', '2027-02-19T12:00:00.000Z'],
  ['year', '2027-11-21T12:00:00.000Z'],
  ['never', undefined],
] as const)('a key ends: %s', (ending, expected) => {
  expect(computeEnd(ending, '', now)).toBe(expected)
})

test('a key works until the end of its last day', () => {
  expect(computeEnd('day', '2026-12-31', now)).toBe(new Date(2026, 11, 31, 23, 59, 59, 999).toISOString())
  expect(computeEnd('day', '', now)).toBeUndefined()
})
