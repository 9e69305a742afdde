import type { headerNames } from '@saleproof/schema'
import type { Seen } from './attempt.ts'
import { parse } from './body.ts'
import type { Call } from './calls.ts'
import { type ErrorDetails, type ErrorKind, SaleproofError } from './errors.ts'
import type { Settings } from './options.ts'
import { isRetryableStatus, parseRetryAfter } from './retry-timing.ts'
import { redact, redactBody } from './secrets.ts'

/** The codes of an invalid purchase. */
export const isPurchaseCode = (code: string): code is 'purchase_not_found' | 'purchase_not_active' =>
  /^purchase_not_(found|active)$/.test(code)

// The contract's. Without a code of the API they alone tell a wrong purchase code from a wrong path.
const purchaseMessages = ['Invalid purchase code', 'Código de compra inválido']

/** The kind of a failure; `envelope` tells whether the body is this API's. */
export function errorKind(status: number, envelope: boolean): ErrorKind {
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server'
  if (!envelope || status < 400) return 'invalid_response'
  if (status === 404) return 'not_found'
  return status === 401 || status === 403 ? 'authentication' : 'rejected'
}

/**
 * The reason that a failure of this API gives. No code at all means an older deployment; the codes of an invalid purchase are always
 * shown, because a buyer's input must not hide them. Parts of a secret may be shown: a key may contain a word such as "expired".
 */
function readCode(sent: string | undefined, secrets: readonly string[]): string | undefined {
  if (!sent) return undefined
  const repeats = secrets.some((secret) => secret.includes(sent) || sent.includes(secret))
  return isPurchaseCode(sent) || (!repeats && /^[a-z_]{3,40}$/.test(sent)) ? sent : 'unreadable'
}

/** Reads the value out of a response; throws an error of this package, or of the platform when the body is cut short. */
export async function readResponse(
  response: Response,
  { invalidMessages = [], maxResponseBytes, platform, shape, validate }: Settings,
  call: Call,
  parameters: Readonly<Record<string, string>>,
  secrets: readonly string[],
  seen: Seen,
): Promise<unknown> {
  const { status, headers } = response
  const requestId = redact(headers.get('X-Request-Id' satisfies typeof headerNames.requestId), secrets)
  Object.assign(seen, { status, requestId })

  // A status of 0 where the runtime hides redirects; `redirected` where a custom `fetch` followed one.
  const isRedirect = status < 1 || (status >= 300 && status < 400) || response.redirected
  const text = isRedirect
    ? undefined
    : await platform.readBody(response, maxResponseBytes ?? call.maxBytes ?? 1_048_576)
  const isCheck = call.name === 'validatePurchase'
  const body = parse(text ?? '', isCheck)
  let code: ErrorDetails['code'] = body ? 'unexpected_body' : 'not_json'
  if (text === undefined) code = isRedirect ? 'redirected' : 'too_large'

  if (status === 200 && body?.status === 'success') {
    const value = call.read(body, shape, parameters)
    if (typeof value === 'string') code = value
    else if (value && !(await validate?.[call.name]?.['~standard'].validate(value))?.issues) return value
  }

  const isEnvelope = body?.status === 'error' && typeof body.msg === 'string'
  if (isEnvelope) {
    // Node.js keeps spaces at the end of a header.
    const sent = headers.get('X-Error-Code' satisfies typeof headerNames.errorCode)?.trim()
    const isInvalidMessage =
      isCheck && status === 404 && purchaseMessages.concat(invalidMessages).includes(String(body?.msg))
    code = !sent && isInvalidMessage ? 'purchase_not_found' : readCode(sent, secrets)
  }
  throw new SaleproofError(errorKind(status, isEnvelope), {
    operation: call.name,
    code,
    status,
    requestId,
    retryable: isRetryableStatus(status),
    retryAfterMs: parseRetryAfter(headers.get('Retry-After'), Date.now()),
    limit: /^"([\w-]+)"/.exec(headers.get('RateLimit') ?? '')?.[1],
    response: text ? { status, body: redactBody(text, secrets) } : undefined,
  })
}
