/** Numbers that look random and are the same for a seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!
  return { below, pick, some: <T>(choices: readonly T[]) => choices.filter(() => next() < 0.5) }
}

export type Random = ReturnType<typeof createRandom>

/** Another one in each run; FAST_CHECK_SEED repeats one that was printed. */
export const newSeed = () => Number(process.env.FAST_CHECK_SEED || Math.floor(Math.random() * 2 ** 31))

/** Numbers of a new seed, which is printed. */
export function seededRandom(): Random {
  const seed = newSeed()
  console.log(`FAST_CHECK_SEED=${seed}`)
  return createRandom(seed)
}
