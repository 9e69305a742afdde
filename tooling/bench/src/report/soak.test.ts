import { expect, test } from 'vitest'
import { formatSoak, isFlat, type Sample } from './soak.ts'

const series = (sampleAt: (index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 30 }, (_, index) => ({
    seconds: 10 * (index + 1),
    rate: 10_000,
    p99: 1,
    memory: 150,
    heap: 40,
    handles: 40,
    eventLoopP99: 11,
    ...sampleAt(index),
  }))

test('memory that grows at first and then stays is flat', () => {
  expect(isFlat(series((index) => ({ memory: 100 + 10 * Math.min(index, 8) })))).toBe(true)
})

test('memory that goes on growing is not flat', () => {
  const samples = series((index) => ({ memory: 100 + 5 * index }))
  expect(isFlat(samples)).toBe(false)
  expect(formatSoak(samples, 0)).toContain('NOT FLAT')
})

test('a growing number of handles is not flat', () => {
  expect(isFlat(series((index) => ({ handles: 40 + index })))).toBe(false)
})
