/** Lets at most `size` requests run at once. */
export function createLimiter(size: number) {
  // Below 0: how many wait.
  let free = size
  const waiting: (() => void)[] = []
  return async <T>(send: () => Promise<T>): Promise<T> => {
    free -= 1
    if (free < 0) await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await send()
    } finally {
      free += 1
      waiting.shift()?.()
    }
  }
}
