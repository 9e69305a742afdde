const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** The value below which a part of all values lies, interpolated; NaN of nothing. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = sorted(values)
  const position = (ordered.length - 1) * part
  const low = ordered[Math.floor(position)] ?? Number.NaN
  const high = ordered[Math.ceil(position)] ?? Number.NaN
  return low + (high - low) * (position - Math.floor(position))
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** A value that was measured several times. */
export interface Summary {
  median: number
  lowest: number
  highest: number
}

export const summarize = (values: readonly number[]): Summary => ({
  median: median(values),
  lowest: quantile(values, 0),
  highest: quantile(values, 1),
})

/**
 * The ratios of one series to another, round by round. Other work of the machine disturbs both in the same round, so the
 * median of the ratios is steadier than the ratio of the medians.
 */
export const ratios = (values: readonly number[], baseline: readonly number[]): Summary =>
  summarize(values.flatMap((value, round) => (baseline[round] ? [value / baseline[round]] : [])))

/** Welch's t: the distance of two means in standard errors. Above 4.5 the chance that they are equal is 1 in 100,000. */
export function welch(a: readonly number[], b: readonly number[]): number {
  const first = computeMoments(a)
  const second = computeMoments(b)
  return (first.mean - second.mean) / Math.sqrt(first.variance / a.length + second.variance / b.length)
}

function computeMoments(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const shuffle = <T>(values: readonly T[], random: () => number): T[] =>
  values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value)
