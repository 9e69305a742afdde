import { isSecret } from '../domain/api-keys.ts'
import type { Proxies } from './proxies.ts'
import type { Observe } from './request-event.ts'
import type { RequestMiddleware } from './state.ts'

interface AccessLogOptions {
  observe: Observe
  proxies: Proxies
}

/**
 * Reports each request. What a client chose freely is left out: path, query and every header may hold a key or a purchase code.
 */
export function accessLog({ observe, proxies }: AccessLogOptions): RequestMiddleware {
  return async function accessLog(ctx, next) {
    const start = performance.now()
    try {
      await next()
    } finally {
      const { requestId, route, operation, errorCode, key, ...found } = ctx.state
      observe({
        method: ctx.method,
        route: route ?? null,
        operation: operation?.name,
        status: ctx.status,
        code: errorCode ?? null,
        durationMs: performance.now() - start,
        requestId,
        workspace: key?.workspaceId ?? null,
        keyId: key?.keyId,
        clientAddress: isSecret(key) ? proxies.clientAddress(ctx.req) : undefined,
        refusedKey: found.refusedKey,
        rawHeaders: ctx.req.rawHeaders,
        validated: found.validated,
        signingKeyId: found.signingKeyId,
        sentCode: found.sentCode,
      })
    }
  }
}
