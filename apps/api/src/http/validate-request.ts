import type { IncomingMessage } from 'node:http'
import { urlTooLongStatus } from '@saleproof/schema'
import { ApiError } from './api-error.ts'
import type { RequestContext, RequestMiddleware } from './state.ts'

/** Longer than any parameters that there are, and shorter than what Node's parser rejects. */
export const maxUrlLength = 8 * 1024
/** All headers together. */
export const maxHeadersSize = 16 * 1024
/** Node's parser drops headers after the thousandth, which may be another key. Proxies add a dozen. */
export const maxHeaders = 100

/** `uri-host [":" port]` of RFC 9110: a proxy may take anything else for another host than this service does. */
export const hostPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/

/** The size of all headers with the four characters around each. */
const headerSize = (rawHeaders: readonly string[]) =>
  rawHeaders.reduce((size, text) => size + text.length + 2, 0)

/** The path of a request; undefined where its target is an absolute URL (`GET http://host/path`) that is invalid. */
export function readPath(ctx: RequestContext): string | undefined {
  const { url = '' } = ctx.req
  // Reading one, Node.js would print it as a warning, with what it contains.
  if (/^[^/*]/.test(url) && !URL.canParse(url)) return undefined
  try {
    return ctx.path
  } catch {
    return undefined
  }
}

function isHostClear({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const [host, ...others] = headersDistinct.host ?? []
  if (host === undefined) return httpVersion !== '1.1'
  return others.length === 0 && hostPattern.test(host)
}

/** Node's parser undoes `chunked` where it stands last, and leaves the body in any other coding; HTTP/1.0 knows none of it. */
function isFramingClear({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const codings = headersDistinct['transfer-encoding'] ?? []
  return codings.every((coding) => httpVersion === '1.1' && coding.toLowerCase() === 'chunked')
}

const closing = { Connection: 'close' }

/** Rejects what Node's parser accepts although HTTP or the contract does not. */
export function validateRequest(): RequestMiddleware {
  return async function validateRequest(ctx, next) {
    const { headers, rawHeaders, url = '' } = ctx.req
    // First of all: what comes after such a request may be a part of it, so its response ends the connection.
    if (!isFramingClear(ctx.req)) throw new ApiError('malformed_request', { headers: closing })
    if (url.length > maxUrlLength)
      throw new ApiError('request_too_large', { status: urlTooLongStatus, headers: closing })
    if (rawHeaders.length > 2 * maxHeaders || headerSize(rawHeaders) > maxHeadersSize)
      throw new ApiError('request_too_large', { headers: closing })
    if (!isHostClear(ctx.req) || readPath(ctx) === undefined)
      throw new ApiError('malformed_request', { headers: closing })
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
      throw new ApiError('expectation_failed', { headers: closing })
    await next()
  }
}
