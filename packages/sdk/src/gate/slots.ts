/** Lets at most `size` requests run at once; those for known codes go first, so that guesses cannot hold them up. */
export function createLimiter(size: number) {
  // Below 0: how many wait.
  let free = size
  const waiting: (() => void)[] = []
  return async <T>(isKnown: boolean, send: () => Promise<T>): Promise<T> => {
    free -= 1
    if (free < 0) await new Promise<void>((resolve) => waiting[isKnown ? 'unshift' : 'push'](resolve))
    try {
      return await send()
    } finally {
      free += 1
      waiting.shift()?.()
    }
  }
}
