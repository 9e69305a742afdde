import type { headerNames } from '@saleproof/schema'
import type { OperationName } from '@saleproof/schema/constants'
import { hasDuplicates, parse, readBody } from './body.ts'
import { type Call, decode } from './calls.ts'
import { type ErrorDetails, type ErrorKind, SaleproofError } from './errors.ts'
import type { Settings } from './options.ts'
import { isRetryableStatus, parseRetryAfter } from './retry-timing.ts'
import { redact } from './secrets.ts'

/** The result of an attempt: a value or an error. */
export interface AttemptResult {
  status?: number
  requestId?: string | undefined
  value?: unknown
  error?: SaleproofError
}

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

/**
 * A code that must not be shown becomes `unreadable`: no code at all means an older deployment. Unlike `redact` it allows parts of
 * a secret, because a key may contain a word such as "expired".
 */
function readCode(sent: string | null, secrets: readonly string[]): string | undefined {
  if (sent === null || isPurchaseCode(sent)) return sent ?? undefined
  const repeats = secrets.some((secret) => secret.includes(sent) || sent.includes(secret))
  return repeats || !/^[a-z_]{3,40}$/.test(sent) ? 'unreadable' : sent
}

/** Reads a response into `result`. Throws when the body is cut short. */
export async function readResponse(
  response: Response,
  call: Call,
  { invalidMessages = [], maxResponseBytes = call.maxBytes ?? 1_048_576, shape, validate }: Settings,
  operation: OperationName,
  key: string,
  parameters: Readonly<Record<string, string>>,
  result: AttemptResult,
): Promise<void> {
  const { status, headers } = response
  const { purchase_code: code } = parameters
  const secrets = [key, code ?? key]
  const clean = (text: unknown) => redact(text, secrets)
  const requestId = clean(headers.get('X-Request-Id' satisfies typeof headerNames.requestId))
  Object.assign(result, { status, requestId })

  const fail = (
    reason: ErrorDetails['code'],
    kind: ErrorKind = 'invalid_response',
    details?: ErrorDetails,
  ) => {
    const retryable = isRetryableStatus(status)
    result.error = new SaleproofError(kind, {
      operation,
      code: reason,
      status,
      requestId,
      retryable,
      ...details,
    })
  }

  // Some runtimes hide redirects, and a custom `fetch` may have followed one.
  if (/^3/.test(String(status)) || response.type === 'opaqueredirect' || response.redirected)
    return fail('redirected')
  const text = await readBody(response, maxResponseBytes)
  if (text === undefined) return fail('too_large')
  const body = parse(text)

  if (status === 200 && body?.status === 'success' && !(code && hasDuplicates(text, body))) {
    const value = decode(call, body, shape)
    if (value === undefined || validate?.(operation, value, shape) === false) return fail('unexpected_body')
    // What `decode` returns has what the call compares.
    const mismatch = call.mismatch?.(value as never, parameters)
    if (mismatch) return fail(mismatch)
    result.value = value
    return
  }

  const envelope = body?.status === 'error' && typeof body.msg === 'string'
  const sent = headers.get('X-Error-Code' satisfies typeof headerNames.errorCode)
  const reason =
    sent === null &&
    code &&
    status === 404 &&
    purchaseMessages.concat(invalidMessages).includes(String(body?.msg))
      ? 'purchase_not_found'
      : readCode(sent, secrets)
  fail(envelope ? reason : body === undefined ? 'not_json' : 'unexpected_body', kindOf(status, envelope), {
    retryAfterMs: parseRetryAfter(headers.get('Retry-After'), Date.now()),
    serverMessage: envelope ? clean(body.msg) : undefined,
  })
}
