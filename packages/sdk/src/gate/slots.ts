import { SaleproofError } from '../errors.ts'

/** Lets at most `size` requests run at once. Those about known codes go first; where too many wait, the next one fails. */
export function createLimiter(size: number) {
  const maxWaiting = 1_000
  // Below 0: how many wait.
  let free = size
  const known: (() => void)[] = []
  const guesses: (() => void)[] = []
  return async <T>(isKnown: boolean, send: () => Promise<T>): Promise<T> => {
    const waiting = isKnown ? known : guesses
    if (waiting.length >= maxWaiting) throw new SaleproofError('timeout', {})
    free -= 1
    if (free < 0) await new Promise<void>((resolve) => waiting.push(resolve))
    return send().finally(() => {
      free += 1
      const next = known.shift() ?? guesses.shift()
      next?.()
    })
  }
}
