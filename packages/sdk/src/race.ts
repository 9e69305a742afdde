import { SaleproofError } from './errors.ts'

/** The result of `work`. Rejects with `timeout` when the time is over, and with `aborted` when the signal aborts first. */
export const race = <T>(work: Promise<T> | undefined, timeoutMs: number, signal?: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const clear = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const stop = () => {
      clear()
      const isAborted = signal?.aborted
      reject(new SaleproofError(isAborted ? 'aborted' : 'timeout', { retryable: !isAborted }))
    }
    const timer = setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop)
    void work?.then(resolve, reject).then(clear)
  })
