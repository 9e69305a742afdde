import { headerNames } from '@saleproof/schema'
import { newId } from '../ids.ts'
import type { RequestMiddleware } from './state.ts'

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/**
 * New ids have a random prefix for the process and a counter: a random id for each request costs too much. A client's own id may be a key or
 * a purchase code: it is sent back, and logs have a keyed hash of it behind an id of ours.
 */
export function createRequestIds(hashOf: (id: string) => string) {
  const prefix = newId()
  let count = 0
  /** The id of a request in its response and in logs, from what its client sent as its own. */
  return (given: unknown) => {
    const own = `${prefix}-${(count++).toString(36)}`
    return typeof given === 'string' && acceptable.test(given)
      ? { sent: given, logged: `${own}.${hashOf(given)}` }
      : { sent: own, logged: own }
  }
}

export type RequestIdFor = ReturnType<typeof createRequestIds>

/** Browsers take every response for what it says it is. */
export const noSniffing = { 'X-Content-Type-Options': 'nosniff' } as const

export function requestId({ requestIdFor }: { requestIdFor: RequestIdFor }): RequestMiddleware {
  return async function requestId(ctx, next) {
    const { sent, logged } = requestIdFor(ctx.req.headers['x-request-id'])
    ctx.state.requestId = logged
    ctx.state.body = []
    ctx.set(headerNames.requestId, sent)
    ctx.set(noSniffing)
    await next()
  }
}
