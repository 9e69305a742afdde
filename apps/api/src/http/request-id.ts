import { headerNames } from '@saleproof/schema'
import { newId } from '../domain/id.ts'
import type { RequestMiddleware } from './state.ts'

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's own request id where it can be kept, else a new one. */
export const requestIdFor = (given: unknown): string =>
  typeof given === 'string' && acceptable.test(given) ? given : newId()

export function requestId(): RequestMiddleware {
  return async function requestId(ctx, next) {
    ctx.state.requestId = requestIdFor(ctx.req.headers['x-request-id'])
    ctx.state.body = []
    ctx.set(headerNames.requestId, ctx.state.requestId)
    await next()
  }
}
