import type { headerNames } from '@saleproof/schema'
import type { Attempt, AttemptResult } from './attempt.ts'
import { hasDuplicates, parse, readBody } from './body.ts'
import { decode } from './calls.ts'
import { type ErrorDetails, type ErrorKind, SaleproofError } from './errors.ts'
import { isRetryableStatus, parseRetryAfter } from './retry-timing.ts'
import { redact, redactBody } from './secrets.ts'

/** The codes of an invalid purchase. They are never filtered, so that a buyer's input cannot hide them. */
export const isPurchaseCode = (code: string): code is 'purchase_not_found' | 'purchase_not_active' =>
  /^purchase_not_(found|active)$/.test(code)

// The contract's. Without a code of the API they alone tell a wrong purchase code from a wrong path.
const purchaseMessages = ['Invalid purchase code', 'Código de compra inválido']

/** The kind of a failure; `envelope` tells whether the body is this API's. */
export function kindOf(status: number, envelope: boolean): ErrorKind {
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server'
  if (!envelope || status < 400) return 'invalid_response'
  if (status === 404) return 'not_found'
  return status === 401 || status === 403 ? 'authentication' : 'rejected'
}

/** A code that must not be shown becomes `unreadable`: no code at all means an older deployment. */
const readCode = (sent: string, secrets: readonly string[]): string =>
  isPurchaseCode(sent) || (/^[a-z_]{3,40}$/.test(sent) && redact(sent, secrets) === sent)
    ? sent
    : 'unreadable'

/** Reads the value out of a response; throws an error of this package, or of the platform when the body is cut short. */
export async function readResponse(
  response: Response,
  { call, operation, parameters, secrets, settings }: Attempt,
  result: AttemptResult,
): Promise<unknown> {
  const { invalidMessages = [], maxResponseBytes = call.maxBytes ?? 1_048_576, shape, validate } = settings
  const { status, headers, type, redirected } = response
  const requestId = redact(headers.get('X-Request-Id' satisfies typeof headerNames.requestId), secrets)
  Object.assign(result, { status, requestId })

  let text: string | undefined
  const failure = (code: ErrorDetails['code'], kind: ErrorKind = 'invalid_response', retryAfterMs?: number) =>
    new SaleproofError(kind, {
      operation,
      code,
      status,
      requestId,
      retryable: isRetryableStatus(status),
      retryAfterMs,
      limit: /^"([\w-]+)"/.exec(headers.get('RateLimit') ?? '')?.[1],
      response: text ? { status, body: redactBody(text, secrets) } : undefined,
    })

  // Some runtimes hide redirects, and a custom `fetch` may have followed one.
  if (/^3/.test(String(status)) || type === 'opaqueredirect' || redirected) throw failure('redirected')
  text = await (settings.state.readBody ?? readBody)(response, maxResponseBytes)
  if (text === undefined) throw failure('too_large')
  const body = parse(text)
  const isCheck = operation === 'validatePurchase'

  if (status === 200 && body?.status === 'success' && !(isCheck && hasDuplicates(text, body))) {
    const value = decode(call, body, shape)
    if (value === undefined || validate?.(operation, value, shape) === false) throw failure('unexpected_body')
    // What `decode` returns has what the call compares.
    const mismatch = call.mismatch?.(value as never, parameters)
    if (mismatch) throw failure(mismatch)
    return value
  }

  const envelope = body?.status === 'error' && typeof body.msg === 'string' && !hasDuplicates(text, body)
  const sent = headers.get('X-Error-Code' satisfies typeof headerNames.errorCode)
  const told =
    isCheck && status === 404 && purchaseMessages.concat(invalidMessages).includes(String(body?.msg))
  const reason = sent === null ? (told ? 'purchase_not_found' : undefined) : readCode(sent, secrets)
  throw failure(
    envelope ? reason : body === undefined ? 'not_json' : 'unexpected_body',
    kindOf(status, envelope),
    parseRetryAfter(headers.get('Retry-After'), Date.now()),
  )
}
