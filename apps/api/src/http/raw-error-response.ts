import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { headerNames, type Locale, urlTooLongStatus } from '@saleproof/schema'
import { errorResponse } from './error-response.ts'
import { acceptedLocale } from './locale.ts'
import { codeOfParserError, type ParserError } from './parser-errors.ts'
import type { PublicAddress } from './public-address.ts'
import type { Observe } from './request-event.ts'
import { noSniffing, type RequestIdFor } from './request-id.ts'

interface RawErrorResponseOptions {
  observe: Observe
  requestIdFor: RequestIdFor
  locale: Locale
  address: PublicAddress
}

/** The parser stopped in the first line: it was the URL that was too long. */
const stoppedInUrl = ({ rawPacket, bytesParsed }: ParserError) =>
  /^[A-Z]+ [^ \r\n]*$/.test(rawPacket?.subarray(0, bytesParsed).toString('latin1') ?? '')

/** Writes whole responses as text to what Node's parser rejects before there is a request for Koa. */
export function createRawErrorResponse(options: RawErrorResponseOptions) {
  return function rawErrorResponse(error: ParserError, request?: IncomingMessage): string {
    const code = codeOfParserError(error)
    const { sent, logged } = options.requestIdFor(request?.headers['x-request-id'])
    const { status, headers, body } = errorResponse(
      {
        code,
        ...(code === 'request_too_large' && stoppedInUrl(error) && { status: urlTooLongStatus }),
        ...(code === 'method_not_allowed' && { headers: { Allow: 'GET, HEAD, POST' } }),
      },
      {
        locale: acceptedLocale(request?.headers['accept-language']) ?? options.locale,
        address: options.address.of(),
      },
    )
    const text = JSON.stringify(body)
    options.observe({
      method: request?.method ?? null,
      route: null,
      status,
      code,
      durationMs: 0,
      requestId: logged,
      workspace: null,
      rawHeaders: [],
    })
    const lines = Object.entries({
      ...headers,
      'Content-Length': Buffer.byteLength(text),
      [headerNames.requestId]: sent,
      ...noSniffing,
      Date: new Date().toUTCString(),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`)
    return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n')
  }
}
