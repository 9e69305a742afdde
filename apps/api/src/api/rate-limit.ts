import type { ErrorCode } from '@saleproof/schema'
import { ApiError } from '../http/api-error.ts'
import type { Proxies } from '../http/proxies.ts'
import type { RequestContext, RequestMiddleware } from '../http/state.ts'
import type { LimitResult, Limits } from '../rate-limit/limits.ts'

export const tooMany = ({ retryAfter }: LimitResult) =>
  new ApiError('rate_limited', { headers: { 'Retry-After': String(retryAfter) } })

/** Counts each request of a key that is known, and refuses those past the limit. */
export function rateLimit({ limits, proxies }: { limits: Limits; proxies: Proxies }): RequestMiddleware {
  return async function rateLimit(ctx, next) {
    if (limits.policy) ctx.set('RateLimit-Policy', limits.policy)
    const verdict = await limits.request(ctx.state.key!.keyId, proxies.clientAddress(ctx.req))
    if (verdict) ctx.set('RateLimit', verdict.header)
    if (verdict && !verdict.allowed) throw tooMany(verdict)
    await next()
  }
}

/** Gives the failure to answer with instead, where one of this code is one too many. */
export type FailureLimit = (code: ErrorCode, ctx: RequestContext) => Promise<ApiError | undefined>

/** Counts a failure, and turns it into a 429 once there were too many of them. */
export function createFailureLimit({ limits, proxies }: { limits: Limits; proxies: Proxies }): FailureLimit {
  return async function limited(code, ctx) {
    const verdict = await limits.failure(code, ctx.state.key?.keyId, proxies.clientAddress(ctx.req))
    if (!verdict || verdict.allowed) return undefined
    ctx.set({ 'RateLimit-Policy': verdict.policy, RateLimit: verdict.header })
    return tooMany(verdict)
  }
}
