import type { ActiveKey } from '../domain/api-keys.ts'
import { ApiError } from '../http/api-error.ts'
import type { LimitErrors } from '../http/error-handler.ts'
import type { Proxies } from '../http/proxies.ts'
import type { RequestContext } from '../http/state.ts'
import type { LimitResult, Limits } from '../rate-limit/limits.ts'

export interface RateLimitOptions {
  limits: Limits
  proxies: Proxies
}

/** The error of a request over a limit, as data for the routes and for the fast path. */
export const overLimit = ({ policy, header, retryAfter }: LimitResult) => ({
  code: 'rate_limited' as const,
  headers: { 'RateLimit-Policy': policy, RateLimit: header, 'Retry-After': String(retryAfter) },
})

const toError = (result: LimitResult) => new ApiError('rate_limited', overLimit(result))

/** Counts each request of an active key, and refuses those over the limit. */
export function createRequestLimit({ limits, proxies }: RateLimitOptions) {
  return async function limitRequest(ctx: RequestContext, { keyId }: ActiveKey) {
    if (limits.policy) ctx.set('RateLimit-Policy', limits.policy)
    const result = await limits.request(keyId, proxies.clientAddress(ctx.req))
    if (result) ctx.set('RateLimit', result.header)
    if (result && !result.allowed) throw toError(result)
  }
}

/** Refuses a valid code to someone who guesses. */
export function createGuessLimit({ limits, proxies }: RateLimitOptions) {
  return async function limitGuess(ctx: RequestContext, key: ActiveKey) {
    const code = ctx.state.validated?.code
    const result = code && (await limits.success(key, proxies.clientAddress(ctx.req), code))
    if (result) throw toError(result)
  }
}

/** Counts errors that someone who guesses makes, and turns those over the limit into a 429. */
export function createErrorLimit({ limits, proxies }: RateLimitOptions): LimitErrors {
  return async function limitErrors(code, ctx) {
    const { key, sentCode } = ctx.state
    const result = await limits.failure(code, key, proxies.clientAddress(ctx.req), sentCode)
    return result && !result.allowed ? toError(result) : undefined
  }
}
