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

/** A figure measured several times. */
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
 * The ratios of one series to another, round by round. What disturbs the machine disturbs both in the same round, so the median of the
 * ratios is steadier than the ratio of the medians.
 */
export const ratios = (values: readonly number[], floor: readonly number[]): Summary =>
  summarize(values.flatMap((value, round) => (floor[round] ? [value / floor[round]] : [])))

/**
 * Welch's t of two samples: how many standard errors their means are apart. Beyond 4.5 either way they differ, with one chance in a
 * hundred thousand to be wrong.
 */
export function welch(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [momentsOf(a), momentsOf(b)]
  return (first.mean - second.mean) / Math.sqrt(first.variance / a.length + second.variance / b.length)
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

/** Numbers from 0 to 1 that are the same on every machine: mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The values in another order, by Fisher and Yates. */
export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const shuffled = [...values]
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const [here, there] = [shuffled[index]!, shuffled[other]!]
    shuffled[index] = there
    shuffled[other] = here
  }
  return shuffled
}
