import { type IncomingMessage, STATUS_CODES } from 'node:http'
import {
  type ErrorCode,
  errors,
  failureMessage,
  headerNames,
  type Locale,
  urlTooLongStatus,
} from '@saleproof/schema'
import type { Observe } from '../observability/observer.ts'
import { acceptedLocale } from './locale.ts'
import { codeOfParserError, type ParserError } from './parser-errors.ts'
import type { RequestIdFor } from './request-id.ts'

interface RefusalsOptions {
  observe: Observe
  requestIdFor: RequestIdFor
  locale: Locale
  errorPage: (code: ErrorCode) => string
}

/** The parser stopped in the first line: it was the URL that was too long. */
const stoppedInUrl = ({ rawPacket, bytesParsed }: ParserError) =>
  /^[A-Z]+ [^ \r\n]*$/.test(rawPacket?.subarray(0, bytesParsed).toString('latin1') ?? '')

const statusOf = (code: ErrorCode, error: ParserError) =>
  code === 'request_too_large' && stoppedInUrl(error) ? urlTooLongStatus : errors[code].status

/** Whole answers, as text, for what Node's parser refuses before there is a request that Koa could answer. */
export function createRefusals({ observe, requestIdFor, locale, errorPage }: RefusalsOptions) {
  return function refusal(error: ParserError, request?: IncomingMessage): string {
    const code = codeOfParserError(error)
    const status = statusOf(code, error)
    const requestId = requestIdFor(request?.headers['x-request-id'])
    const method = request?.method ?? null
    observe({
      method,
      route: null,
      operation: undefined,
      status,
      code,
      durationMs: 0,
      requestId,
      workspace: null,
      keyId: undefined,
      refusedKey: undefined,
      rawHeaders: [],
      itemId: undefined,
    })
    const language = acceptedLocale(request?.headers['accept-language']) ?? locale
    const body = JSON.stringify({ status: 'error', msg: failureMessage({ code }, language) })
    const headers = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `Content-Language: ${language}`,
      `${headerNames.errorCode}: ${code}`,
      `${headerNames.requestId}: ${requestId}`,
      `Link: <${errorPage(code)}>; rel="help"`,
      ...(code === 'method_not_allowed' ? ['Allow: GET, HEAD, POST'] : []),
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
    ]
    return `${headers.join('\r\n')}\r\n\r\n${body}`
  }
}
