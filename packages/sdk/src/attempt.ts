import type { OperationName } from '@saleproof/schema/constants'
import { calls } from './calls.ts'
import { isSaleproofError, SaleproofError } from './errors.ts'
import { readKey, type Settings } from './options.ts'
import { race } from './race.ts'
import { type Answer, readResponse } from './response.ts'

type Parameters = Readonly<Record<string, string>>

async function exchange(
  settings: Settings,
  operation: OperationName,
  parameters: Parameters,
  signal: AbortSignal,
  answer: Answer,
): Promise<void> {
  const { apiKey, baseUrl, fetch, keyPlacement, locale, shape } = settings
  let given: unknown = apiKey
  if (typeof apiKey === 'function') {
    try {
      given = await apiKey()
    } catch {
      throw new SaleproofError('connection', { operation, code: 'key_unavailable', retryable: true })
    }
  }
  const key = readKey(given)
  const headers: Record<string, string> = { accept: 'application/json' }
  const sent: Record<string, string> = { ...parameters }
  if (keyPlacement === 'header') headers.authorization = `Bearer ${key}`
  else sent.api_key = key
  if (shape) sent.shape = shape
  if (locale) headers['accept-language'] = locale
  const form = String(new URLSearchParams(sent))
  const init: RequestInit = { headers, redirect: 'manual', signal }
  let url = baseUrl + calls[operation].path
  if (operation === 'validatePurchase') {
    // Of all ways to send a POST the one that every deployment reads.
    headers['content-type'] = 'application/x-www-form-urlencoded'
    init.method = 'POST'
    init.body = form
  } else if (form) url += `?${form}`
  // Looked up at each call: tools that observe or replace the platform's `fetch` may come after the client was made.
  const response = await (fetch ?? globalThis.fetch)(url, init)
  await readResponse(response, settings, operation, key, parameters.purchase_code, answer)
}

// The reason as the system names it (ENOTFOUND, ECONNRESET …). Not the message: some runtimes put the URL into it.
function connectionError(thrown: unknown, operation: OperationName): SaleproofError {
  const { code, cause } = Object(thrown) as { code?: unknown; cause?: { code?: unknown } }
  const [reason] = /^[A-Z_]{1,40}$/.exec(String(cause?.code ?? code)) ?? []
  return new SaleproofError('connection', { operation, code: reason, retryable: true })
}

/** One request and its answer, body included, within `timeoutMs`. Ends on time even where `fetch` does not heed its signal. */
export async function attempt(
  settings: Settings,
  operation: OperationName,
  parameters: Parameters,
  timeoutMs: number,
): Promise<Answer> {
  const { signal } = settings
  const controller = new AbortController()
  const answer: Answer = {}
  const failed = (error: SaleproofError): Answer => {
    // Frees the connection of what was not read to its end. A copy: an exchange that does not notice its end may go on.
    controller.abort()
    return { ...answer, error }
  }
  const work = exchange(settings, operation, parameters, controller.signal, answer).then(
    () => (answer.error ? failed(answer.error) : answer),
    (thrown) => failed(isSaleproofError(thrown) ? thrown : connectionError(thrown, operation)),
  )
  return race(work, timeoutMs, signal, () =>
    failed(
      new SaleproofError(signal?.aborted ? 'aborted' : 'timeout', { operation, retryable: !signal?.aborted }),
    ),
  )
}
