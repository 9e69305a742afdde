import type { RequestMiddleware } from './state.ts'

/** While the service stops, makes each response the last of its connection; also to requests that came before. */
export function closeWhenDraining({ draining }: { draining: () => boolean }): RequestMiddleware {
  return async function closeWhenDraining(ctx, next) {
    await next()
    if (draining()) ctx.set('Connection', 'close')
  }
}
