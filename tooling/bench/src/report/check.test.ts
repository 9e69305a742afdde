import { expect, test } from 'vitest'
import { compareReports, isRegression, slowerThanBaseline } from './check.ts'
import type { Report } from './report.ts'

const summary = (median: number) => ({ median, lowest: median, highest: median })

function report(ratios: Record<string, number>, scenario = 'account'): Report {
  const servers = Object.entries(ratios).map(([server, ratio]) => [
    server,
    { ratio: summary(ratio), rate: summary(ratio * 10_000), cpuMicroseconds: 30 },
  ])
  return {
    measuredAt: '2026-11-21T12:00:00.000Z',
    node: '24.21.0',
    cores: 2,
    quick: false,
    dataSets: {
      small: { importSeconds: 1, scenarios: { [scenario]: Object.fromEntries(servers) }, memory: {} },
    },
    start: {},
    firstList: {},
  }
}

const regressionsOf = (recorded: Report, now: Report) => compareReports(recorded, now).filter(isRegression)

test.each([
  [2, 1.71, 0],
  [2, 1.69, 1],
  [2, 3, 0],
])('of a recorded ratio of %d, %d is %d regressions', (before, after, losses) => {
  expect(regressionsOf(report({ saleproof: before }), report({ saleproof: after }))).toHaveLength(losses)
})

test('names the scenario', () => {
  expect(regressionsOf(report({ saleproof: 2 }), report({ saleproof: 1 }))).toEqual([
    { scenario: 'small, account, saleproof', recorded: 2, now: 1 },
  ])
})

test('a competitor may become slower', () => {
  expect(compareReports(report({ 'koa-prisma': 2 }), report({ 'koa-prisma': 1 }))).toEqual([])
})

test('a scenario of one report alone is not compared', () => {
  expect(compareReports(report({ saleproof: 2 }), report({ saleproof: 1 }, 'item'))).toEqual([])
})

test('a build is slower where every round was slower', () => {
  const slow = { ratio: { median: 0.95, lowest: 0.9, highest: 0.99 } }
  const uncertain = { ratio: { median: 0.95, lowest: 0.9, highest: 1.01 } }
  const scenarios = { account: { new: slow }, item: { new: uncertain } }
  const { dataSets, ...rest } = report({})
  const both = { ...rest, dataSets: { small: { ...dataSets.small, scenarios } } } as unknown as Report
  expect(slowerThanBaseline(both, 'new')).toEqual(['small, account'])
})
