import { urlTooLongStatus } from '@saleproof/schema'
import { Failure } from './failure.ts'
import type { RequestMiddleware } from './state.ts'

/** Longer than any parameters that we know, and shorter than what Node's parser refuses with all headers together. */
const longestUrl = 8 * 1024

/** What Node's parser lets pass although HTTP or the contract does not. */
export function limits(): RequestMiddleware {
  return async function limits(ctx, next) {
    const { httpVersion, headers, url = '' } = ctx.req
    if (url.length > longestUrl) throw new Failure('request_too_large', { status: urlTooLongStatus })
    if (httpVersion === '1.1' && headers.host === undefined) throw new Failure('malformed_request')
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
      throw new Failure('expectation_failed', { headers: { Connection: 'close' } })
    }
    await next()
  }
}
