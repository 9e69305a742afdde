import { expect, test } from 'vitest'
import { slowerThanBaseline } from './report.ts'

const scenario = (highest: number) => {
  const summary = { median: 0.95, lowest: 0.9, highest }
  return { new: { ratio: summary, cpuRatio: summary, rate: summary, cpuMicroseconds: 30 } }
}

test('a build is slower where every round was slower', () => {
  const scenarios = { account: scenario(0.99), item: scenario(1.01) }
  const dataSets = { small: { memory: {}, scenarios } }
  expect(slowerThanBaseline({ dataSets }, 'new')).toEqual(['small, account'])
})
