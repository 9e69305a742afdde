import type { RequestMiddleware } from './state.ts'

/** While the service stops, every answer is the last one of its connection; also of a request that came before. */
export function lastAnswers({ stopping }: { stopping: () => boolean }): RequestMiddleware {
  return async function lastAnswers(ctx, next) {
    await next()
    if (stopping()) ctx.set('Connection', 'close')
  }
}
