import { expect, test } from 'vitest'
import { createRandom, median, quantile, ratios, shuffle, welch } from './statistics.ts'

test('a quantile lies between the values around it', () => {
  expect(quantile([4, 1, 3, 2], 0)).toBe(1)
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
  expect(quantile([4, 1, 3, 2], 1)).toBe(4)
  expect(quantile([10, 20], 0.99)).toBeCloseTo(19.9)
})

test('nothing has no median', () => {
  expect(median([])).toBeNaN()
})

test('a slow round of both changes no ratio', () => {
  const baseline = [100, 50, 100]
  const server = [120, 60, 130]
  expect(ratios(server, baseline)).toEqual({ median: 1.2, lowest: 1.2, highest: 1.3 })
})

test('a round without a baseline value is left out', () => {
  expect(ratios([120, 60], [100])).toEqual({ median: 1.2, lowest: 1.2, highest: 1.2 })
})

test("Welch's t of samples that were worked out by hand", () => {
  // Means 3 and 5, variances 2.5 and 10: (3 - 5) / sqrt(2.5 / 5 + 10 / 5).
  expect(welch([1, 2, 3, 4, 5], [1, 3, 5, 7, 9])).toBeCloseTo(-2 / Math.sqrt(2.5))
})

test('samples of one kind do not differ, and a shift of a tenth of their spread shows in many', () => {
  const random = createRandom(5)
  const sample = (shift: number) => Array.from({ length: 10_000 }, () => random() + shift)
  expect(Math.abs(welch(sample(0), sample(0)))).toBeLessThan(4.5)
  expect(Math.abs(welch(sample(0), sample(0.03)))).toBeGreaterThan(4.5)
})

test('random numbers are the same on every machine', () => {
  const random = createRandom(1)
  expect([random(), random(), random()]).toEqual([
    0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
  ])
})

test('shuffling keeps every value and moves most of them', () => {
  const values = Array.from({ length: 1000 }, (_, index) => index)
  const shuffled = shuffle(values, createRandom(7))
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(values)
  expect(shuffled.filter((value, index) => value === index).length).toBeLessThan(20)
})
