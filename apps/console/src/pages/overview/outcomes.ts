import type { OutcomeCounts, ValidationOutcome } from '@saleproof/schema/console'

/** The colour of each outcome, in the order of the stack: valid ones at the bottom. */
export const outcomeColors = {
  valid: '--chart-1',
  not_found: '--chart-2',
  not_active: '--chart-3',
  refused: '--chart-5',
  limited: '--chart-6',
  failed: '--chart-4',
} satisfies Record<ValidationOutcome, string>

// `Object.keys` forgets the names.
export const outcomes = Object.keys(outcomeColors) as readonly ValidationOutcome[]

export const sumOf = (counts: OutcomeCounts, which: readonly ValidationOutcome[] = outcomes) =>
  which.reduce((sum, outcome) => sum + counts[outcome], 0)

/** The outcomes that occurred; always with `valid`. */
export const presentOutcomes = (total: OutcomeCounts) =>
  outcomes.filter((outcome) => outcome === 'valid' || total[outcome] > 0)

/** Adds to the values of each series those of all series before it. */
export function stack<Series extends { values: readonly number[] }>(series: readonly Series[]): Series[] {
  const sums: number[] = []
  return series.map((each) => ({
    ...each,
    values: each.values.map((value, index) => {
      const sum = (sums[index] ?? 0) + value
      sums[index] = sum
      return sum
    }),
  }))
}
