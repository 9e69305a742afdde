/** Seeded random numbers, so that a run can be repeated. */
export interface Random {
  /** An integer from 0, below the limit. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
}

/** Mulberry32: small, fast, and random enough to choose mutations. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  function pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('nothing to pick from')
    // The index is below the length.
    return values[below(values.length)] as T
  }
  return { below, chance: (probability) => next() < probability, pick }
}
