import type { OperationName } from '@saleproof/schema/constants'
import { type AttemptResult, makeAttempt } from './attempt.ts'
import type { Call } from './calls.ts'
import { SaleproofError } from './errors.ts'
import { readOptions, type Settings } from './options.ts'
import { race } from './race.ts'
import { retryDelay } from './retry-timing.ts'
import type { CallMeta, CallOptions } from './types.ts'

/** The result of a call: a value, or an error. */
export interface CallResult {
  readonly value?: unknown
  readonly error?: SaleproofError | undefined
  readonly meta: CallMeta
}

/** Makes a call, with its retries and waits. Never rejects. */
export async function makeCall(
  client: Settings,
  operation: OperationName,
  call: Call,
  argument: unknown,
  options: CallOptions = {},
): Promise<CallResult> {
  const start = performance.now()
  const { budget } = client.state
  let attempts = 0
  let result: AttemptResult = {}
  const finish = (error = result.error, retryInMs?: number): CallResult => {
    const { status, requestId, value } = result
    const meta = { status, requestId, attempts, durationMs: performance.now() - start }
    if (attempts) void client.log?.({ event: 'attempt', operation, error, retryInMs, meta })
    return { value, error, meta }
  }
  try {
    const settings = readOptions(options, client)
    const { maxRetries, signal, totalTimeoutMs, timeoutMs } = settings
    const parameters = call.parameters?.(argument) ?? {}
    const { purchase_code: code } = parameters
    for (;;) {
      if (signal?.aborted) throw new SaleproofError('aborted', { operation })
      const left = () => totalTimeoutMs - performance.now() + start
      attempts += 1
      const attempt = { settings, operation, call, parameters, secrets: code ? [code] : [] }
      result = await makeAttempt(attempt, Math.min(timeoutMs, left()))
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
    // The block throws errors of this client alone; `makeAttempt` never rejects.
    return finish(error as SaleproofError)
  }
}

/** Makes a call and gives its value. */
export async function callOrThrow<T>(...parameters: Parameters<typeof makeCall>): Promise<T> {
  const { error, value } = await makeCall(...parameters)
  // What `decode` let through.
  if (!error) return value as T
  // The stack of the caller instead of that of the transport.
  Error.captureStackTrace?.(error)
  throw error
}
