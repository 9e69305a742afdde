import type { OutcomeCounts, ValidationOutcome } from '@saleproof/schema/console'

/** From the best to the worst, as they lie on each other in the chart. */
export const outcomes = [
  ...['valid', 'not_found', 'not_active', 'refused', 'limited', 'failed'],
] as readonly string[] as readonly ValidationOutcome[]

export const colourOf: Record<ValidationOutcome, string> = {
  valid: '--chart-1',
  not_found: '--chart-2',
  not_active: '--chart-3',
  refused: '--chart-5',
  limited: '--chart-6',
  failed: '--chart-4',
}

export const sumOf = (counts: OutcomeCounts, which: readonly ValidationOutcome[] = outcomes) =>
  which.reduce((sum, outcome) => sum + counts[outcome], 0)

/** Those that there are any of; the valid ones always. */
export const present = (total: OutcomeCounts) =>
  outcomes.filter((outcome) => outcome === 'valid' || total[outcome] > 0)

/** Each list with those before it added, so that what is drawn first stands behind. */
export function stack(lists: readonly (readonly number[])[]): number[][] {
  const sums: number[][] = []
  for (const list of lists) {
    const below = sums.at(-1)
    sums.push(list.map((value, index) => value + (below?.[index] ?? 0)))
  }
  return sums
}
