/** The result of `work`, or of `late` when the time is over or the signal aborts first. */
export const race = <T>(
  work: Promise<T> | undefined,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  late: () => T,
): Promise<T> =>
  new Promise((resolve) => {
    const end = (value: T) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(value)
    }
    const stop = () => end(late())
    const timer = setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop)
    void work?.then(end)
  })
