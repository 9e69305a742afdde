import { type AttemptResult, makeAttempt } from './attempt.ts'
import type { Call } from './calls.ts'
import { SaleproofError } from './errors.ts'
import { readOptions, type Settings } from './options.ts'
import { race } from './race.ts'
import { earnRetry, retryDelay, useRetry } from './retry-timing.ts'
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
  call: Call,
  argument: unknown,
  options: CallOptions = {},
): Promise<CallResult> {
  const start = performance.now()
  const operation = call.name
  let attempts = 0
  let result: AttemptResult = {}
  const report = (retryInMs?: number): CallResult => {
    const { status, requestId, value, error } = result
    const meta = { status, requestId, attempts, durationMs: performance.now() - start }
    if (attempts) void client.log?.({ event: 'attempt', operation, error, retryInMs, meta })
    return { value, error, meta }
  }
  try {
    const settings = readOptions(options, client)
    const { maxRetries = 2, signal, totalTimeoutMs = 15_000, timeoutMs = 5_000 } = settings
    const parameters = call.parameters?.(argument) ?? {}
    const left = () => totalTimeoutMs - performance.now() + start
    for (;;) {
      if (signal?.aborted) throw new SaleproofError('aborted', { operation })
      attempts += 1
      result = await makeAttempt(settings, call, parameters, Math.min(timeoutMs, left()))
      const { error } = result
      if (!error?.retryable) {
        earnRetry(client.state)
        return report()
      }
      const wait = retryDelay(attempts, error.retryAfterMs, Math.random())
      if (attempts > maxRetries || wait >= left() || !useRetry(client.state)) return report()
      report(wait)
      await race(undefined, wait, signal).catch(() => {})
    }
  } catch (error) {
    // The block throws errors of this client alone; `makeAttempt` never rejects.
    result = { ...result, error: error as SaleproofError }
    return report()
  }
}

/** Makes a call and gives its value. */
export async function callOrThrow<T>(...parameters: Parameters<typeof makeCall>): Promise<T> {
  const { error, value } = await makeCall(...parameters)
  // What the call let through.
  if (!error) return value as T
  // The stack of the caller instead of that of the transport.
  Error.captureStackTrace?.(error)
  throw error
}
