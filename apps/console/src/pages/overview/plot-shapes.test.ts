import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisTicks, toBars, toLine, toPoints, valueRange } from './plot-shapes.ts'

test.each([
  [[], [0, 1]],
  [
    [0, null],
    [0, 1],
  ],
  [[3], [0, 1, 2, 3]],
  [
    [7, 10],
    [0, 5, 10],
  ],
  [
    [0, 168],
    [0, 50, 100, 150],
  ],
  [
    [120, -35],
    [0, 50, 100],
  ],
  [
    [40, -1250],
    [-1000, -500, 0],
  ],
])('the axis of %j has %j', (values, ticks) => {
  expect(axisTicks(valueRange(values), true)).toEqual(ticks)
})

test.each([
  [
    [0.25, 0.5],
    [0, 0.5, 1],
  ],
  [
    [1, null, 2],
    [0, 1, 2],
  ],
  [
    [1, 1.5],
    [0, 0.5, 1, 1.5],
  ],
])('the axis of the durations %j has %j', (values, ticks) => {
  expect(axisTicks(valueRange(values), false)).toEqual(ticks)
})

test('an axis has zero, and two to six values, whole ones of counts', () => {
  const value = fc.double({ min: -1e12, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 9 }), fc.boolean(), (values, whole) => {
      const ticks = axisTicks(valueRange(values), whole)
      expect(ticks.some((tick) => tick === 0)).toBe(true)
      if (whole) expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(7)
    }),
  )
})

test('bars, lines and points of values', () => {
  const values = [null, 2, 3, null, 0, null, 4]
  expect(toBars([2, 0, -3])).toBe('M0.09 0V-2h.82V0zM2.09 0V3h.82V0z')
  expect(toLine(values)).toBe('M1.5 -2L2.5 -3M4.5 0M6.5 -4')
  expect(toPoints(values)).toBe('M4.5 0h0M6.5 -4h0')
})
