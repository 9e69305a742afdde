import type Router from '@koa/router'
import { prometheusContentType } from 'prom-client'
import { ApiError } from '../http/api-error.ts'
import { requireBearer } from '../http/bearer-token.ts'
import type { RequestState } from '../http/state.ts'

export interface MetricsOptions {
  /** Without one there is no route. */
  token: string | undefined
  /** The metrics of every process, as text. */
  read: () => Promise<string>
}

/** `/metrics`, for bearers of the token. */
export function mountMetrics(router: Router<RequestState>, { token, read }: MetricsOptions) {
  if (!token) return
  const authorize = requireBearer(token)
  router.get('/metrics', async (ctx) => {
    authorize(ctx.req)
    ctx.set('Cache-Control', 'no-store')
    ctx.type = prometheusContentType
    // The primary process puts them together, and may not answer.
    ctx.body = await read().catch((cause) => {
      throw new ApiError('unavailable', { cause })
    })
  })
}
