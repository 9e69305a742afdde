import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatCapacity } from '../report/capacity.ts'
import { quantile } from '../statistics.ts'
import { assumptions, type Cost } from './cost.ts'
import { planFor } from './plan.ts'
import { timesIn } from './queue.ts'
import { recordedCost } from './recorded.ts'
import { hottestShare, largestShare } from './spread.ts'

const cost: Cost = {
  measuredAt: '',
  purchases: 1_000_000,
  serviceMicroseconds: 100,
  databaseMicroseconds: 80,
  rowBytes: 150,
  indexBytes: 120,
}

test('a queue with one server takes as long as its formula says', () => {
  // M/M/1: the time in the system is exponential, with the mean 1 / (µ − λ).
  const times = timesIn({ servers: 1, busyPart: 0.5, meanMilliseconds: 1 })
  expect(times.reduce((sum, time) => sum + time, 0) / times.length).toBeCloseTo(2, 0)
  expect(quantile(times, 0.99) / (2 * Math.log(100))).toBeCloseTo(1, 0)
})

test('more servers wait less for the same work', () => {
  const p99 = (servers: number) => quantile(timesIn({ servers, busyPart: 0.8, meanMilliseconds: 1 }), 0.99)
  expect(p99(16)).toBeLessThan(p99(2))
  expect(p99(2)).toBeLessThan(p99(1))
})

test('the hottest machine has more than its part, and never less than the largest workspace', () => {
  for (const machines of [2, 8, 32]) {
    expect(hottestShare(machines)).toBeGreaterThan(1 / machines)
    expect(hottestShare(machines)).toBeGreaterThanOrEqual(largestShare)
  }
  expect(hottestShare(32)).toBeLessThan(hottestShare(2))
})

test('what is needed follows from what a request costs', () => {
  const plan = planFor({ purchases: 1e6, requestsPerSecond: 10_000 }, cost)
  // 10,000 requests of 100 µs are one processor; at half load on two processors an instance does that.
  expect(plan.instances).toBe(2)
  expect(plan.machines).toBe(1)
  expect(plan.gigabytes).toBeCloseTo(0.27)
  expect(plan.hottest.busyPart).toBeCloseTo((10_000 * 80e-6) / assumptions.cores)
  expect(plan.hottest.diskReadsPerSecond).toBe(0)
  expect(planFor({ purchases: 1e6, requestsPerSecond: 100_000 }, cost).instances).toBe(10)
})

test('machines are added where processors or memory do not do, and no machine is over its part', () => {
  const busy = planFor({ purchases: 1e6, requestsPerSecond: 300_000 }, cost)
  const large = planFor({ purchases: 1e9, requestsPerSecond: 1000 }, cost)
  for (const { machines, hottest } of [busy, large]) {
    expect(machines).toBeGreaterThan(1)
    expect(hottest.busyPart).toBeLessThanOrEqual(assumptions.busyPart)
    expect(hottest.indexGigabytes).toBeLessThanOrEqual(assumptions.memoryGigabytes * assumptions.cachePart)
  }
  expect(large.hottest.diskReadsPerSecond).toBeGreaterThan(0)
})

test('docs/scaling.md shows what the simulation says', () => {
  const home = join(import.meta.dirname, '../..')
  const page = readFileSync(join(home, '../../apps/api/docs/scaling.md'), 'utf8')
  expect(page).toContain(formatCapacity(recordedCost(join(home, 'results'))))
})
