import type { Logger } from 'pino'
import type { RequestMiddleware } from './state.ts'

/**
 * One line a request. What a caller chose freely is left out: the path that was asked for, the query and every header may
 * hold a key or a purchase code.
 */
export function accessLog({ logger }: { logger: Logger }): RequestMiddleware {
  return async function accessLog(ctx, next) {
    const start = performance.now()
    try {
      await next()
    } finally {
      const { requestId, route, errorCode, key } = ctx.state
      logger.info(
        {
          method: ctx.method,
          route: route ?? null,
          status: ctx.status,
          code: errorCode ?? null,
          durationMs: Math.round((performance.now() - start) * 1000) / 1000,
          requestId,
          workspace: key?.workspaceId ?? null,
        },
        'request',
      )
    }
  }
}
