import type { headerNames } from '@saleproof/schema'
import { parse, readBody } from './body.ts'
import type { Parameters } from './call.ts'
import type { Call } from './calls.ts'
import { type ErrorKind, SaleproofError } from './errors.ts'
import type { Settings } from './options.ts'
import { isRetryableStatus, parseRetryAfter } from './retry-timing.ts'

// The contract's. Without a code of the API they alone tell a wrong purchase code from a wrong path.
const purchaseMessages = ['Invalid purchase code', 'Código de compra inválido']

// The codes of the API that say more than the status does. Another text of a header may repeat a key or a code.
const codePattern =
  /^((missing|invalid|expired|revoked)_api_key|key_not_allowed|no_items|(item|purchase|route)_not_found|purchase_not_active)$/

/** The kind of a failure; `envelope` tells whether the body is this API's. */
function errorKind(status: number, envelope: boolean): ErrorKind {
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server'
  if (!envelope || status < 400) return 'invalid_response'
  if (status === 404) return 'not_found'
  return status === 401 || status === 403 ? 'authentication' : 'rejected'
}

/** Reads the value out of a response; throws an error of this package, or of the platform when the body is cut short. */
export async function readResponse(
  response: Response,
  { invalidMessages = [], shape }: Settings,
  call: Call,
  parameters: Parameters,
  requestId: string,
): Promise<unknown> {
  const { status, headers } = response
  // A status of 0 where the runtime hides redirects; `redirected` where a custom `fetch` followed one.
  const isRedirect = /^[03]/.test(String(status)) || response.redirected
  const text = isRedirect ? undefined : await readBody(response, call.maxBytes ?? 1_048_576)
  const isCheck = call.name === 'validatePurchase'
  const body = parse(text ?? '', isCheck)
  let code: string | undefined = isRedirect ? 'redirected' : text === undefined ? 'too_large' : undefined

  if (status === 200 && body?.status === 'success') {
    const value = await call.read(body, shape, parameters, headers)
    if (value) return value
  }

  const isEnvelope = body?.status === 'error' && typeof body.msg === 'string'
  if (isEnvelope) {
    // Node.js keeps spaces at the end of a header.
    const sent = headers.get('X-Error-Code' satisfies typeof headerNames.errorCode)?.trim()
    const isInvalidMessage =
      isCheck && status === 404 && purchaseMessages.concat(invalidMessages).includes(body.msg as string)
    // No code at all means an older deployment.
    code = sent ? codePattern.exec(sent)?.[0] : isInvalidMessage ? 'purchase_not_found' : undefined
  }
  throw new SaleproofError(errorKind(status, isEnvelope), {
    code,
    status,
    requestId,
    // Past its limit of wrong codes the API answers right ones as always.
    retryable: isRetryableStatus(status) && !/^"(key-)?failures"/.test(headers.get('RateLimit') ?? ''),
    retryAfterMs: parseRetryAfter(headers.get('Retry-After'), Date.now()),
  })
}
