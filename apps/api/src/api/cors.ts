import type Router from '@koa/router'
import { cors, type Operation, operationList } from '@saleproof/schema'
import type { ApiKeys } from '../domain/api-keys.ts'
import { ApiError } from '../http/api-error.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { RequestContext, RequestMiddleware, RequestState } from '../http/state.ts'
import { readPath } from '../http/validate-request.ts'
import { readApiKeys } from './parameters.ts'

/** Lets pages of any origin read a response; without credentials, because pages send a key themselves. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': cors.exposed.join(', '),
} as const

/** Chromium keeps the answer to a preflight no longer. */
const maxAgeSeconds = 7200

const preflightHeaders = ({ method }: Operation) => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': method,
  'Access-Control-Allow-Headers': cors.allowed.join(', '),
  'Access-Control-Max-Age': String(maxAgeSeconds),
  'Cache-Control': 'no-store',
})

/** No honest request has more keys. A lookup of each would let a small request cost much. */
const maxKeys = 8

const publicOperations = operationList.filter(({ publishable }) => publishable)

/** A preflight asks before there is a key: it is neither authenticated nor counted. */
export function mountPreflights(router: Router<RequestState>) {
  for (const operation of publicOperations) {
    const headers = preflightHeaders(operation)
    router.options(operation.path, (ctx) => {
      const { origin, 'access-control-request-method': method } = ctx.req.headers
      if (origin === undefined || method === undefined)
        throw new ApiError('method_not_allowed', { headers: { Allow: operation.method } })
      ctx.status = 204
      ctx.set(headers)
    })
  }
}

interface CorsOptions {
  address: PublicAddress
  apiKeys: ApiKeys
}

/**
 * Lets pages read every response of the operations for publishable keys, also one that was made before the request came to its route;
 * but none to a request with a secret key, which has no place in a browser.
 */
export function allowOrigins({ address, apiKeys }: CorsOptions): RequestMiddleware {
  function isPublic(ctx: RequestContext): boolean {
    const path = readPath(ctx)
    return publicOperations.some(
      (operation) =>
        ctx.method === operation.method &&
        (path === operation.path || path === address.prefix + operation.path),
    )
  }

  /** Only what the database says makes a key secret: while it does not respond, no key is known. */
  async function hasSecretKey(ctx: RequestContext): Promise<boolean> {
    const { isKeySecret } = ctx.state
    if (isKeySecret !== undefined) return isKeySecret
    const keys = readApiKeys(ctx)
    if (keys.length > maxKeys) return true
    return apiKeys.includeSecret(keys).catch(() => false)
  }

  return async function allowOrigins(ctx, next) {
    await next()
    if (isPublic(ctx) && !(await hasSecretKey(ctx))) ctx.set(corsHeaders)
  }
}
