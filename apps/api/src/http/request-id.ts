import { headerNames } from '@saleproof/schema'
import { newId } from '../ids.ts'
import type { RequestMiddleware } from './state.ts'

/** The id of a request: the client's own where it is acceptable, else a new one. */
export type RequestIdFor = (given: unknown) => string

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/**
 * New ids have a random prefix for the process and a counter: a random id for each request costs too much. Ids are logged: a key that was
 * sent in the wrong header is not one.
 */
export function createRequestIds(isKey: (text: string) => boolean): RequestIdFor {
  const prefix = newId()
  let count = 0
  return (given) =>
    typeof given === 'string' && acceptable.test(given) && !isKey(given)
      ? given
      : `${prefix}-${(count++).toString(36)}`
}

/** Browsers take every response for what it says it is. */
export const noSniffing = { 'X-Content-Type-Options': 'nosniff' } as const

export function requestId({ requestIdFor }: { requestIdFor: RequestIdFor }): RequestMiddleware {
  return async function requestId(ctx, next) {
    ctx.state.requestId = requestIdFor(ctx.req.headers['x-request-id'])
    ctx.state.body = []
    ctx.set(headerNames.requestId, ctx.state.requestId)
    ctx.set(noSniffing)
    await next()
  }
}
