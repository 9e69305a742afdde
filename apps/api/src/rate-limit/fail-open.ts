interface FailOpenOptions {
  /** How often a call is tried during an outage. */
  retryMs: number
  /** Called once when calls begin to fail, with the reason. */
  onOutage: (error: unknown) => void
  /** Called once when they succeed again. */
  onRecovery: () => void
}

/**
 * Calls another process, and goes on without a result where that fails: undefined then. Only the calls that find an outage wait for it;
 * after that one is tried now and then in the background until one succeeds.
 */
export function createFailOpen({ retryMs, onOutage, onRecovery }: FailOpenOptions) {
  let isOut = false
  let nextTry = 0

  async function run<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await call()
      if (isOut) onRecovery()
      isOut = false
      return result
    } catch (error) {
      if (!isOut) onOutage(error)
      isOut = true
      nextTry = performance.now() + retryMs
      return undefined
    }
  }

  return function attempt<T>(call: () => Promise<T>): Promise<T | undefined> | undefined {
    if (!isOut) return run(call)
    if (performance.now() >= nextTry) {
      nextTry = performance.now() + retryMs
      void run(call)
    }
    return undefined
  }
}
