import type Router from '@koa/router'
import type { Readiness } from '../db/health.ts'
import type { RequestState } from '../http/state.ts'

export interface HealthOptions {
  stopping: () => boolean
  /** The state of each part that has to work. */
  health: () => Promise<Readiness>
}

/** `/healthz`: the process lives. `/readyz`: it can serve. */
export function mountHealth(router: Router<RequestState>, { stopping, health }: HealthOptions) {
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    const { checks, operations } = await health()
    const ready = !stopping() && Object.values(checks).every((state) => state === 'ok')
    ctx.status = ready ? 200 : 503
    ctx.set('Cache-Control', 'no-store')
    if (ready) {
      ctx.body = { status: 'ready', checks }
      return
    }
    ctx.set('Retry-After', '1')
    ctx.body = { status: stopping() ? 'stopping' : 'not ready', checks, operations }
  })
}
