/** The other side did not respond in time. */
export class TimeoutError extends Error {
  readonly code = 'ETIMEDOUT'
}

/** The answer, or a `TimeoutError` if it takes too long. */
export function withTimeout<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // An answer that came while this process was busy is there, only not read yet: that comes before `setImmediate`.
    const onTimeout = () => setImmediate(() => reject(new TimeoutError('no answer')))
    const timer = setTimeout(onTimeout, withinMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
