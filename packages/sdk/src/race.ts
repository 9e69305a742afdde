import { SaleproofError } from './errors.ts'

/**
 * The result of `work`. Rejects with `timeout` when the time is over, and with `aborted` when the signal aborts first: then no work
 * begins where it was aborted before.
 */
export const race = <T>(
  work: (() => Promise<T>) | undefined,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const clear = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const stop = () => {
      clear()
      reject(new SaleproofError(signal?.aborted ? 'aborted' : 'timeout', {}))
    }
    const timer = setTimeout(stop, timeoutMs)
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop)
    void work?.().then(resolve, reject).then(clear)
  })
