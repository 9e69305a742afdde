import type { OperationName } from '@saleproof/schema/constants'
import type { Call } from './calls.ts'
import { SaleproofError } from './errors.ts'
import { readKey, type Settings } from './options.ts'
import { race } from './race.ts'
import { readResponse } from './response.ts'
import { toCause } from './secrets.ts'

/** What is known of a response. */
export interface Seen {
  status?: number
  requestId?: string | undefined
}

/** The result of an attempt: a value or an error. */
export interface AttemptResult extends Seen {
  readonly value?: unknown
  readonly error?: SaleproofError
}

/** The key of an attempt, which the client then knows as its last usable one. */
export async function getKey({ apiKey, state }: Settings, operation?: OperationName): Promise<string> {
  try {
    state.key = readKey(typeof apiKey === 'function' ? await apiKey() : apiKey)
    return state.key
  } catch (thrown) {
    // Not the message: it may hold what a vault holds.
    const cause = { name: String(Object(thrown).name) }
    throw new SaleproofError('connection', { operation, code: 'key_unavailable', retryable: true, cause })
  }
}

function connectionError(thrown: unknown, operation: OperationName, secrets: readonly string[]) {
  const cause = toCause(thrown, secrets)
  // The system's own code: ENOTFOUND, ECONNRESET.
  const [code] = /^[A-Z][A-Z\d_]{1,40}$/.exec(cause.code ?? '') ?? []
  // A certificate is as wrong at the next attempt. Deno and workerd say so in the message alone.
  const isCertificate = /CERT|SIGNATURE|HOSTNAME_M|INVALID_CA|peer('s)? certificate/
  const retryable = !isCertificate.test(`${code} ${cause.message}`)
  return new SaleproofError('connection', { operation, code, retryable, cause })
}

async function exchange(
  settings: Settings,
  call: Call,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
  seen: Seen,
): Promise<unknown> {
  const { baseUrl, fetch, keyPlacement, platform, shape } = settings
  const { method = 'GET', name, path } = call
  const key = await getKey(settings, name)
  const headers: Record<string, string> = { accept: 'application/json' }
  const sent: Record<string, string> = { ...parameters }
  if (keyPlacement === 'parameter') sent.api_key = key
  else headers.authorization = `Bearer ${key}`
  if (shape) sent.shape = shape
  const form = platform.encode(sent, headers)
  const init: RequestInit = { method, headers, redirect: 'manual', signal }
  let url = baseUrl + path
  // A form: every deployment reads this type of body.
  if (method === 'POST') init.body = form
  else if (String(form)) url += `?${form}`
  const secrets = [key, parameters.purchase_code ?? key]
  try {
    // Looked up at each call, because tools may replace the platform's `fetch` after the client was created.
    const response = await (fetch ?? globalThis.fetch)(url, init)
    return await readResponse(response, settings, call, parameters, secrets, seen)
  } catch (thrown) {
    throw thrown instanceof SaleproofError ? thrown : connectionError(thrown, name, secrets)
  }
}

/** Makes a request and reads its response, including the body, within `timeoutMs`. Ends on time even where `fetch` ignores its signal. */
export async function makeAttempt(
  settings: Settings,
  call: Call,
  parameters: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<AttemptResult> {
  const controller = new AbortController()
  const seen: Seen = {}
  try {
    const work = exchange(settings, call, parameters, controller.signal, seen)
    const value = await race(work, timeoutMs, settings.signal, call.name)
    return { ...seen, value }
  } catch (error) {
    // Frees the connection of an unread body. A copy, because an exchange that ignores the signal may continue.
    controller.abort()
    // Both throw errors of this client alone.
    return { ...seen, error: error as SaleproofError }
  }
}
