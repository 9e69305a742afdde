import type { OperationName } from '@saleproof/schema/constants'
import { attempt } from './attempt.ts'
import { SaleproofError } from './errors.ts'
import { readOptions, type Settings } from './options.ts'
import { race } from './race.ts'
import type { AttemptResult } from './response.ts'
import { createRetryBudget, retryDelay } from './retry-timing.ts'
import type { AttemptEvent, CallOptions, Result } from './types.ts'

/** The hook only observes: what it throws is ignored. */
const notify = async (hook: NonNullable<Settings['onAttempt']>, event: AttemptEvent) => {
  try {
    await hook(event)
  } catch {}
}

/** Creates the function that makes a call, with its retries and waits. `readParameters` returns the parameters or throws. */
export function createCall(client: Settings) {
  const budget = createRetryBudget()
  return async (
    operation: OperationName,
    readParameters: () => Record<string, string>,
    options: CallOptions = {},
  ): Promise<Result<unknown>> => {
    const start = performance.now()
    let attempts = 0
    let result: AttemptResult = {}
    const finish = (error = result.error, retryInMs?: number): Result<unknown> => {
      const { status, requestId, rateLimit, value } = result
      const meta = { status, requestId, rateLimit, attempts, durationMs: performance.now() - start }
      if (attempts && client.onAttempt) void notify(client.onAttempt, { operation, error, retryInMs, meta })
      return error ? { ok: false, error, meta } : { ok: true, value, meta }
    }
    try {
      const settings = readOptions(options, client)
      const { maxRetries, signal, totalTimeoutMs, timeoutMs } = settings
      const parameters = readParameters()
      for (;;) {
        if (signal?.aborted) throw new SaleproofError('aborted', { operation })
        const left = () => totalTimeoutMs - performance.now() + start
        attempts += 1
        result = await attempt(settings, operation, parameters, Math.min(timeoutMs, left()))
        const { error } = result
        if (!error?.retryable) budget.earn()
        const wait =
          error?.retryable && attempts <= maxRetries
            ? retryDelay(attempts, error.retryAfterMs, left(), Math.random())
            : undefined
        if (wait === undefined || !budget.spend()) return finish()
        finish(error, wait)
        await race(undefined, wait, signal, () => {})
      }
    } catch (error) {
      // The block throws errors of this client alone; `attempt` never rejects.
      return finish(error as SaleproofError)
    }
  }
}

export type Call = ReturnType<typeof createCall>
