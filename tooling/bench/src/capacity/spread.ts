import { createRandom, quantile } from '../statistics.ts'
import { assumptions } from './cost.ts'

const trials = 20

/** What each workspace is of the whole: the second has half of the first, the third a third of it, as in most shops of shops. */
function shares(workspaces: number): Float64Array {
  const weights = Float64Array.from({ length: workspaces }, (_, index) => 1 / (index + 1))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

const all = shares(assumptions.workspaces)

/** The part of everything that the largest workspace is. */
export const largestShare = all[0]!

function hottestOf(machines: number, random: () => number): number {
  const loads = new Float64Array(machines)
  for (const share of all) loads[Math.floor(random() * machines)]! += share
  return Math.max(...loads)
}

/**
 * The part of everything that is on the hottest of so many machines when each workspace is put on one of them by chance: what all but
 * one of twenty attempts stay below.
 */
export function hottestShare(machines: number): number {
  if (machines === 1) return 1
  const random = createRandom(machines)
  return quantile(
    Array.from({ length: trials }, () => hottestOf(machines, random)),
    0.95,
  )
}
