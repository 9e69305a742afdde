import type { OperationName } from '@saleproof/schema/constants'
import type { Call } from './calls.ts'
import { isSaleproofError, SaleproofError } from './errors.ts'
import { readKey, type Settings } from './options.ts'
import { race } from './race.ts'
import { readResponse } from './response.ts'
import { redact } from './secrets.ts'

/** One request. */
export interface Attempt {
  readonly settings: Settings
  readonly operation: OperationName
  readonly call: Call
  readonly parameters: Readonly<Record<string, string>>
  /** What no error may repeat. */
  readonly secrets: string[]
}

/** The result of an attempt: a value or an error. */
export interface AttemptResult {
  status?: number
  requestId?: string | undefined
  value?: unknown
  error?: SaleproofError
}

/** The key of an attempt, which the client then knows as its last usable one. */
export async function getKey({ apiKey, state }: Settings, operation?: OperationName): Promise<string> {
  try {
    state.key = readKey(typeof apiKey === 'function' ? await apiKey() : apiKey)
    return state.key
  } catch (thrown) {
    // Not the message: it may hold what a vault holds.
    const cause = { name: redact(Object(thrown).name, []) }
    throw new SaleproofError('connection', { operation, code: 'key_unavailable', retryable: true, cause })
  }
}

async function exchange(attempt: Attempt, signal: AbortSignal, result: AttemptResult): Promise<unknown> {
  const { call, operation, parameters, secrets, settings } = attempt
  const { baseUrl, fetch, keyPlacement, shape } = settings
  const key = await getKey(settings, operation)
  secrets.push(key)
  const headers: Record<string, string> = { accept: 'application/json' }
  const sent: Record<string, string> = { ...parameters }
  if (keyPlacement === 'header') headers.authorization = `Bearer ${key}`
  else sent.api_key = key
  if (shape) sent.shape = shape
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
  return readResponse(await (fetch ?? globalThis.fetch)(url, init), attempt, result)
}

function connectionError(thrown: unknown, { operation, secrets }: Attempt): SaleproofError {
  const { name, message = thrown, code, cause } = Object(thrown)
  const clean = (text: unknown) => redact(text, secrets)
  // The system's own code: ENOTFOUND, ECONNRESET.
  const [reason] = /^[A-Z\d_]{1,40}$/.exec(clean(cause?.code ?? code) ?? '') ?? []
  const text = clean([message, cause?.message].filter(Boolean).join(': '))
  // A certificate is as wrong at the next attempt. Deno and workerd say so in the message alone.
  const retryable = !/CERT|SIGNATURE|HOSTNAME_M|INVALID_CA|peer('s)? certificate/.test(`${reason} ${text}`)
  return new SaleproofError('connection', {
    operation,
    code: reason,
    retryable,
    cause: { name: clean(name), code: reason, message: text },
  })
}

/** Makes a request and reads its response, including the body, within `timeoutMs`. Ends on time even where `fetch` ignores its signal. */
export async function makeAttempt(attempt: Attempt, timeoutMs: number): Promise<AttemptResult> {
  const { operation, settings } = attempt
  const { signal } = settings
  const controller = new AbortController()
  const result: AttemptResult = {}
  const failed = (error: SaleproofError): AttemptResult => {
    // Frees the connection of an unread body. A copy, because an exchange that ignores the signal may continue.
    controller.abort()
    return { ...result, error }
  }
  const work = exchange(attempt, controller.signal, result).then(
    (value) => ({ ...result, value }),
    (thrown) => failed(isSaleproofError(thrown) ? thrown : connectionError(thrown, attempt)),
  )
  return race(work, timeoutMs, signal, () =>
    failed(
      new SaleproofError(signal?.aborted ? 'aborted' : 'timeout', { operation, retryable: !signal?.aborted }),
    ),
  )
}
