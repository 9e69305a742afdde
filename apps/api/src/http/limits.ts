import { urlTooLongStatus } from '@saleproof/schema'
import type { Context } from 'koa'
import { Failure } from './failure.ts'
import type { RequestMiddleware } from './state.ts'

/** Longer than any parameters that we know, and shorter than what Node's parser refuses. */
const longestUrl = 8 * 1024
/** All headers together. */
const largestHeaders = 16 * 1024

const sizeOf = (rawHeaders: readonly string[]) => rawHeaders.reduce((size, text) => size + text.length + 2, 0)

/** An absolute URL as a request target (`GET http://host/path`) may be one that cannot be read. */
function isReadable(ctx: Pick<Context, 'path'>): boolean {
  try {
    return ctx.path !== undefined
  } catch {
    return false
  }
}

/** What Node's parser lets pass although HTTP or the contract does not. */
export function limits(): RequestMiddleware {
  return async function limits(ctx, next) {
    const { httpVersion, headers, headersDistinct, rawHeaders, url = '' } = ctx.req
    if (url.length > longestUrl) throw new Failure('request_too_large', { status: urlTooLongStatus })
    if (sizeOf(rawHeaders) > largestHeaders) throw new Failure('request_too_large')
    const hosts = headersDistinct.host?.length ?? 0
    if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new Failure('malformed_request')
    if (!isReadable(ctx)) throw new Failure('malformed_request')
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
      throw new Failure('expectation_failed', { headers: { Connection: 'close' } })
    }
    await next()
  }
}
