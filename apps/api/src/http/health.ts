import type Router from '@koa/router'
import type { RequestState } from './state.ts'

export interface HealthOptions {
  /** Whether the service takes requests still: not after it was told to stop. */
  stopping: () => boolean
  /** Each part that has to work, by name; throws or gives false where one does not. */
  checks: Readonly<Record<string, () => Promise<boolean>>>
}

const passes = async (check: () => Promise<boolean>) => {
  try {
    return await check()
  } catch {
    return false
  }
}

/** `/healthz`: the process lives. `/readyz`: it can answer. */
export function mountHealth(router: Router<RequestState>, { stopping, checks }: HealthOptions) {
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'failed'] as const,
      ),
    )
    const ready = !stopping() && results.every(([, result]) => result === 'ok')
    ctx.status = ready ? 200 : 503
    ctx.set('Cache-Control', 'no-store')
    if (!ready) ctx.set('Retry-After', '1')
    ctx.body = {
      status: ready ? 'ready' : stopping() ? 'stopping' : 'not ready',
      checks: Object.fromEntries(results),
    }
  })
}
