import { expect, test } from 'vitest'
import { compareReports, isLoss } from './check.ts'
import type { Report } from './report.ts'

const summary = (median: number) => ({ median, lowest: median, highest: median })

function report(ratios: Record<string, number>, cell = 'account'): Report {
  const servers = Object.entries(ratios).map(([server, ratio]) => [
    server,
    { ratio: summary(ratio), rate: summary(ratio * 10_000), cpuMicroseconds: 30 },
  ])
  return {
    measuredAt: '2026-11-21T12:00:00.000Z',
    node: '24.21.0',
    cores: 2,
    load: 'wrk',
    quick: false,
    dataSets: { small: { importSeconds: 1, cells: { [cell]: Object.fromEntries(servers) }, memory: {} } },
    start: {},
    firstList: {},
  }
}

const lossesOf = (recorded: Report, now: Report) => compareReports(recorded, now).filter(isLoss)

test.each([
  [2, 1.71, 0],
  [2, 1.69, 1],
  [2, 3, 0],
])('of a recorded ratio of %d, %d makes %d losses', (before, after, losses) => {
  expect(lossesOf(report({ saleproof: before }), report({ saleproof: after }))).toHaveLength(losses)
})

test('names what was lost', () => {
  expect(lossesOf(report({ saleproof: 2 }), report({ saleproof: 1 }))).toEqual([
    { what: 'small, account, saleproof', recorded: 2, now: 1 },
  ])
})

test('a peer may become slower', () => {
  expect(compareReports(report({ 'koa-prisma': 2 }), report({ 'koa-prisma': 1 }))).toEqual([])
})

test('what only one of them has is not compared', () => {
  expect(compareReports(report({ saleproof: 2 }), report({ saleproof: 1 }, 'item'))).toEqual([])
})
