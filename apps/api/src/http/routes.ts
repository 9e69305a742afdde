import type Router from '@koa/router'
import { ApiError } from './api-error.ts'
import type { RequestMiddleware, RequestState } from './state.ts'

/** Methods in the order of `Allow`. */
const order = ['GET', 'HEAD', 'POST']

/**
 * Rejects requests without a route. `allowedMethods()` of the router responds to PROPFIND with 501 and to OPTIONS with 200; here any
 * method that a path does not know is 405 with `Allow`.
 */
export function requireRoute(router: Router<RequestState>): RequestMiddleware {
  return async function requireRoute(ctx, next) {
    const { path, pathAndMethod } = router.match(ctx.path, ctx.method)
    if (path.length === 0) throw new ApiError('route_not_found')
    ctx.state.route = String(path[0]?.path ?? '')
    if (pathAndMethod.length === 0) {
      const methods = new Set(path.flatMap((layer) => layer.methods))
      const allow = order.filter((method) => methods.has(method)).join(', ')
      throw new ApiError('method_not_allowed', { headers: { Allow: allow } })
    }
    await next()
  }
}
