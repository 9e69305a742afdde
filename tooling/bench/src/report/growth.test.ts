import { expect, test } from 'vitest'
import { formatGrowth, plotGrowth } from './growth.ts'

const summary = { median: 20_000, lowest: 20_000, highest: 20_000 }
const point = (workspaces: number, purchases: number, cpuMicroseconds: number) => ({
  workspaces,
  purchases,
  imported: purchases,
  importSeconds: 2,
  reports: {
    floor: { ratio: summary, rate: summary, cpuMicroseconds: 50 },
    saleproof: { ratio: summary, rate: summary, cpuMicroseconds },
  },
})
const growth = {
  byPurchases: [point(1, 10_000, 30), point(1, 100_000, 40)],
  byWorkspaces: [point(1, 100_000, 40), point(100, 100_000, 40)],
}

test('has a row for each size', () => {
  const text = formatGrowth(growth)
  expect(text).toMatch(/\| 10,000 +\| +50\.0 \| +30\.0 \| +20,000 \| +5,000 \|/)
  expect(text).toMatch(/\| 100,000 +\| +50\.0 \| +40\.0 \| +20,000 \| +50,000 \|/)
})

test('draws what costs more higher up', () => {
  const svg = plotGrowth(growth)
  const [, saleproof] = [...svg.matchAll(/<polyline points="([^"]*)"/g)]
  const [first, second] = saleproof![1]!.split(' ').map((place) => Number(place.split(',')[1]))
  expect(second!).toBeLessThan(first!)
  expect(svg).not.toContain('NaN')
})
