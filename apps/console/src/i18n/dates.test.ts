import { expect, test } from 'vitest'
import { startOfDay } from './dates.ts'

test('starts at local midnight, also across a clock change', () => {
  expect(startOfDay('2026-03-29', 1)).toBe(new Date(2026, 2, 30).toISOString())
  expect(startOfDay('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString())
})

test.each(['', 'today', '2026-1-1', '31-12-2026'])('%j is not a date', (text) => {
  expect(startOfDay(text)).toBeUndefined()
})
