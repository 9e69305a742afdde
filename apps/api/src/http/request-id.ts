import { headerNames } from '@saleproof/schema'
import { hasValidChecksum } from '../crypto/api-key.ts'
import { newId } from '../ids.ts'
import type { RequestMiddleware } from './state.ts'

/** The id of a request: the caller's own where it can be kept, else a new one. */
export type RequestIdFor = (given: unknown) => string

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/** Ids are logged: a key that somebody sent in the wrong field is none. */
const isId = (given: unknown): given is string =>
  typeof given === 'string' && acceptable.test(given) && !(given.startsWith('sp_') && hasValidChecksum(given))

/** New ids are random for the process and counted within it: a random one for each request costs more than it is worth. */
export function createRequestIds(): RequestIdFor {
  const prefix = newId()
  let count = 0
  return (given) => (isId(given) ? given : `${prefix}-${(count++).toString(36)}`)
}

export function requestId({ requestIdFor }: { requestIdFor: RequestIdFor }): RequestMiddleware {
  return async function requestId(ctx, next) {
    ctx.state.requestId = requestIdFor(ctx.req.headers['x-request-id'])
    ctx.state.body = []
    ctx.set(headerNames.requestId, ctx.state.requestId)
    await next()
  }
}
