import { STATUS_CODES } from 'node:http'
import {
  type ErrorCode,
  errors,
  failureMessage,
  headerNames,
  type Locale,
  urlTooLongStatus,
} from '@saleproof/schema'
import type { Logger } from 'pino'
import { newId } from '../domain/id.ts'
import type { ParserError } from './server.ts'

interface RefusalsOptions {
  logger: Logger
  locale: Locale
  errorPage: (code: ErrorCode) => string
}

const codes: Readonly<Record<string, ErrorCode>> = {
  CONNECT: 'method_not_allowed',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'request_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

/** The parser gives the bytes that it stopped at: without an end of the first line among them it was the URL that was too long. */
function statusOf(code: ErrorCode, { rawPacket }: ParserError & { rawPacket?: Buffer }) {
  return code === 'request_too_large' && rawPacket && !rawPacket.includes('\r\n')
    ? urlTooLongStatus
    : errors[code].status
}

/** Whole answers, as text, for what Node's parser refuses before there is a request that Koa could answer. */
export function createRefusals({ logger, locale, errorPage }: RefusalsOptions) {
  return function refusal(error: ParserError): string {
    const code = codes[error.code ?? ''] ?? 'malformed_request'
    const status = statusOf(code, error)
    const requestId = newId()
    logger.info(
      { method: null, route: null, status, code, durationMs: 0, requestId, workspace: null },
      'request',
    )
    const body = JSON.stringify({ status: 'error', msg: failureMessage({ code }, locale) })
    const headers = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `Content-Language: ${locale}`,
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
