import type { OperationName } from '@saleproof/schema/constants'
import type { Call } from './calls.ts'
import { isSaleproofError, SaleproofError } from './errors.ts'
import { readKey, type Settings } from './options.ts'
import { race } from './race.ts'
import { type AttemptResult, readResponse } from './response.ts'

type Parameters = Readonly<Record<string, string>>

/** The key of an attempt, which the client then knows as its last usable one. */
export async function getKey({ apiKey, state }: Settings, operation?: OperationName): Promise<string> {
  try {
    state.key = readKey(typeof apiKey === 'function' ? await apiKey() : apiKey)
    return state.key
  } catch {
    throw new SaleproofError('connection', { operation, code: 'key_unavailable', retryable: true })
  }
}

async function exchange(
  settings: Settings,
  operation: OperationName,
  call: Call,
  parameters: Parameters,
  signal: AbortSignal,
  result: AttemptResult,
): Promise<void> {
  const { baseUrl, fetch, keyPlacement, locale, shape } = settings
  const key = await getKey(settings, operation)
  const headers: Record<string, string> = { accept: 'application/json' }
  const sent: Record<string, string> = { ...parameters }
  if (keyPlacement === 'header') headers.authorization = `Bearer ${key}`
  else sent.api_key = key
  if (shape) sent.shape = shape
  if (locale) headers['accept-language'] = locale
  const form = String(new URLSearchParams(sent))
  const init: RequestInit = { headers, redirect: 'manual', signal }
  let url = baseUrl + call.path
  if (operation === 'validatePurchase') {
    // Every deployment reads this type of body.
    headers['content-type'] = 'application/x-www-form-urlencoded'
    init.method = 'POST'
    init.body = form
  } else if (form) url += `?${form}`
  // Looked up at each call, because tools may replace the platform's `fetch` after the client was created.
  const response = await (fetch ?? globalThis.fetch)(url, init)
  await readResponse(response, call, settings, operation, key, parameters, result)
}

// The system's own code (ENOTFOUND, ECONNRESET …). Not the message: in some runtimes it contains the URL.
function connectionError(thrown: unknown, operation: OperationName): SaleproofError {
  const { code, cause, message }: { code?: unknown; cause?: { code?: unknown } | null; message?: unknown } =
    Object(thrown)
  const [reason] = /^[A-Z_]{1,40}$/.exec(String(cause?.code ?? code)) ?? []
  // A certificate is as wrong at the next attempt. Deno and workerd say so in the message alone.
  const retryable = !/CERT|SIGNATURE|HOSTNAME_M|INVALID_CA|peer('s)? certificate/.test(`${reason} ${message}`)
  return new SaleproofError('connection', { operation, code: reason, retryable })
}

/** One request and its response, including the body, within `timeoutMs`. Ends on time even where `fetch` ignores its signal. */
export async function attempt(
  settings: Settings,
  operation: OperationName,
  call: Call,
  parameters: Parameters,
  timeoutMs: number,
): Promise<AttemptResult> {
  const { signal } = settings
  const controller = new AbortController()
  const result: AttemptResult = {}
  const failed = (error: SaleproofError): AttemptResult => {
    // Frees the connection of an unread body. A copy, because an exchange that ignores the signal may continue.
    controller.abort()
    return { ...result, error }
  }
  const work = exchange(settings, operation, call, parameters, controller.signal, result).then(
    () => (result.error ? failed(result.error) : result),
    (thrown) => failed(isSaleproofError(thrown) ? thrown : connectionError(thrown, operation)),
  )
  return race(work, timeoutMs, signal, () =>
    failed(
      new SaleproofError(signal?.aborted ? 'aborted' : 'timeout', { operation, retryable: !signal?.aborted }),
    ),
  )
}
