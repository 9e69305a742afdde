/** Lets at most `size` requests run at once; those for known codes go first, so that guesses cannot hold them up. */
export function createSlots(size: number) {
  let free = size
  const known: (() => void)[] = []
  const others: (() => void)[] = []
  return {
    /** Resolves when there is a slot. */
    take(isKnown: boolean): Promise<void> | undefined {
      if (free > 0) {
        free -= 1
        return undefined
      }
      return new Promise((resolve) => {
        const queue = isKnown ? known : others
        queue.push(resolve)
      })
    },
    release(): void {
      const next = known.shift() ?? others.shift()
      if (next) next()
      else free += 1
    },
  }
}
