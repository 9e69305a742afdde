import type { ServerResponse } from 'node:http'
import { type ErrorCode, errors, failureMessage, type Locale, type OperationName } from '@saleproof/schema'
import { vary } from '../../http/response.ts'

const json = 'application/json; charset=utf-8'

/** What every answer of an operation says of the request it belongs to. */
export interface ReplyHead {
  requestId: string
  locale: Locale
  /** `RateLimit-Policy` and `RateLimit`, where there are limits. */
  policy: string | undefined
  rate: string | undefined
}

function headersOf(
  { requestId, locale, policy, rate }: ReplyHead,
  length: number,
  cacheControl: string,
): string[] {
  const headers = ['Content-Type', json, 'Content-Length', String(length), 'Cache-Control', cacheControl]
  headers.push('Content-Language', locale, 'X-Request-Id', requestId)
  if (policy !== undefined) headers.push('RateLimit-Policy', policy)
  if (rate !== undefined) headers.push('RateLimit', rate)
  return headers
}

/**
 * A body as text goes out in one write with its head. Where each character is one byte it is given as what it is: to have it encoded costs
 * a tenth of the answer.
 */
function endWith(response: ServerResponse, body: string, length: number) {
  response.end(body, body.length === length ? 'latin1' : 'utf8')
}

export function sendValidation(response: ServerResponse, head: ReplyHead, body: string, length: number) {
  response.writeHead(200, headersOf(head, length, 'no-store'))
  endWith(response, body, length)
}

export function sendRead(
  response: ServerResponse,
  head: ReplyHead,
  { body, length, etag, encoding }: { body: string | Buffer; length: number; etag: string; encoding: string },
) {
  const headers = headersOf(head, length, 'private, no-cache')
  headers.push('ETag', etag, 'Vary', vary)
  if (encoding !== 'identity') headers.push('Content-Encoding', encoding)
  response.writeHead(200, headers)
  if (typeof body === 'string') endWith(response, body, length)
  else response.end(body)
}

export function sendUnchanged(response: ServerResponse, head: ReplyHead, etag: string) {
  const headers = headersOf(head, 0, 'private, no-cache').slice(4)
  headers.push('ETag', etag, 'Vary', vary)
  response.writeHead(304, headers)
  response.end()
}

interface FailureBody {
  text: string
  length: number
}

const bodies = new Map<string, FailureBody>()

/** The body of a failure: there are few, and each is made once. */
function failureBody(operation: OperationName, code: ErrorCode, locale: Locale): FailureBody {
  const name = `${operation} ${code} ${locale}`
  let body = bodies.get(name)
  if (body === undefined) {
    const text = JSON.stringify({ status: 'error', msg: failureMessage({ code, operation }, locale) })
    body = { text, length: Buffer.byteLength(text) }
    bodies.set(name, body)
  }
  return body
}

interface FailureReply {
  operation: OperationName
  code: ErrorCode
  errorPage: string
  retryAfter: number | undefined
}

export function sendFailure(response: ServerResponse, head: ReplyHead, failure: FailureReply) {
  const { operation, code, errorPage, retryAfter } = failure
  const body = failureBody(operation, code, head.locale)
  const headers = headersOf(head, body.length, 'no-store')
  headers.push('X-Error-Code', code, 'Link', `<${errorPage}>; rel="help"`)
  if (errors[code].status === 401) headers.push('WWW-Authenticate', 'Bearer')
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  response.writeHead(errors[code].status, headers)
  endWith(response, body.text, body.length)
}
