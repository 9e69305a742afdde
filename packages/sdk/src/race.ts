/** The result of `work`, or of `late` when the time is over or the signal aborts first. */
export const race = <T>(
  work: Promise<T> | undefined,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  late: () => T | Promise<T>,
): Promise<T> =>
  new Promise((resolve) => {
    const end = (result: T | Promise<T>) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(result)
    }
    const stop = () => end(late())
    const timer = setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop)
    // A rejection is passed on as it is.
    work?.then(end, () => end(work))
  })
