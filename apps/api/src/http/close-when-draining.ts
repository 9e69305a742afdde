import type { RequestMiddleware } from './state.ts'

/** When the service ends, every answer is the last one of its connection; also of a request that came before. */
export function lastAnswers({ ending }: { ending: () => boolean }): RequestMiddleware {
  return async function lastAnswers(ctx, next) {
    await next()
    if (ending()) ctx.set('Connection', 'close')
  }
}
