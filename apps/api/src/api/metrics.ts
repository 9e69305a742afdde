import type Router from '@koa/router'
import { ApiError } from '../http/api-error.ts'
import { isBearer } from '../http/bearer-token.ts'
import type { RequestState } from '../http/state.ts'

export interface MetricsOptions {
  token: string
  contentType: string
  /** The metrics as text, of every process. */
  read: () => Promise<string>
}

/** `/metrics`, to whoever has the token. */
export function mountMetrics(router: Router<RequestState>, { token, contentType, read }: MetricsOptions) {
  const allowed = isBearer(token)
  router.get('/metrics', async (ctx) => {
    if (!allowed(ctx.req))
      throw new ApiError(ctx.req.headers.authorization ? 'invalid_api_key' : 'missing_api_key')
    ctx.set('Cache-Control', 'no-store')
    ctx.type = contentType
    // Another process puts them together, and may not answer.
    ctx.body = await read().catch((cause) => {
      throw new ApiError('unavailable', { cause })
    })
  })
}
