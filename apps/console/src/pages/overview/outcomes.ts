import type { OutcomeCounts } from '@saleproof/schema/console'
import { type ValidationOutcome, validationOutcomes } from '@saleproof/schema/console/constants'

export const outcomeColors: Record<ValidationOutcome, string> = {
  valid: '--chart-1',
  not_found: '--chart-2',
  not_active: '--chart-3',
  refused: '--chart-5',
  limited: '--chart-6',
  failed: '--chart-4',
}

export const sumOutcomes = (
  counts: OutcomeCounts,
  which: readonly ValidationOutcome[] = validationOutcomes,
) => which.reduce((sum, outcome) => sum + counts[outcome], 0)

/** The outcomes that occurred, from the bottom of the chart to its top; always with `valid`. */
export const presentOutcomes = (total: OutcomeCounts) =>
  validationOutcomes.filter((outcome) => outcome === 'valid' || total[outcome] > 0)

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
