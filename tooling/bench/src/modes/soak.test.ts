import { expect, test } from 'vitest'
import { isFlat, type Sample } from './soak.ts'

const series = (sampleAt: (index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 30 }, (_, index) => ({ memory: 150, handles: 40, ...sampleAt(index) }))

test('memory that grows at first and then stays is flat', () => {
  expect(isFlat(series((index) => ({ memory: 100 + 10 * Math.min(index, 8) })))).toBe(true)
})

test('memory that goes on growing is not flat', () => {
  expect(isFlat(series((index) => ({ memory: 100 + 5 * index })))).toBe(false)
})

test('a growing number of handles is not flat', () => {
  expect(isFlat(series((index) => ({ handles: 40 + index })))).toBe(false)
})
