/** Lets at most `size` requests run at once; those for known codes go first, so that guesses cannot hold them up. */
export function createSlots(size: number) {
  // Below 0: how many wait.
  let free = size
  const known: (() => void)[] = []
  const others: (() => void)[] = []
  return {
    /** Resolves when there is a slot. */
    take(isKnown: boolean): Promise<void> | undefined {
      free -= 1
      if (free >= 0) return undefined
      return new Promise((resolve) => {
        const queue = isKnown ? known : others
        queue.push(resolve)
      })
    },
    release(): void {
      free += 1
      const next = known.shift() ?? others.shift()
      next?.()
    },
  }
}
