import type Router from '@koa/router'
import type { ParameterizedContext } from 'koa'
import { ApiError } from '../http/api-error.ts'
import { isBearer } from '../http/bearer-token.ts'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestState } from '../http/state.ts'
import { ImportError, type ImportResult } from '../import-export/import.ts'

export interface AdminImportOptions {
  token: string
  /** An abort stops it; nothing is stored then. */
  load: (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<ImportResult>
}

const largestImport = 16 * 1024 * 1024

/** Stops reading where the limit is passed, whatever `Content-Length` said. */
async function* atMost(source: AsyncIterable<Uint8Array>, limit: number) {
  let length = 0
  try {
    for await (const chunk of source) {
      length += chunk.length
      if (length > limit) throw new ApiError('body_too_large')
      yield chunk
    }
  } catch (error) {
    // Whatever else ends a body early is the connection.
    throw error instanceof ApiError || isParserError(error) ? error : new ApiError('malformed_body')
  }
}

/** Aborts when the client goes away: what nobody is told of shall not be stored. */
function whileConnected(ctx: Pick<ParameterizedContext, 'req' | 'res'>): AbortSignal {
  const controller = new AbortController()
  // The body may break off before the first of it was asked for; its reader would wait for the rest.
  ctx.req.once('error', (error) => controller.abort(error))
  ctx.res.once('close', () => controller.abort(new ApiError('malformed_body')))
  return controller.signal
}

/** `POST /admin/import`: NDJSON from a shop elsewhere, in the form of `import`. */
export function mountAdminImport(router: Router<RequestState>, { token, load }: AdminImportOptions) {
  const allowed = isBearer(token)
  router.post('/admin/import', async (ctx) => {
    if (!allowed(ctx.req))
      throw new ApiError(ctx.req.headers.authorization ? 'invalid_api_key' : 'missing_api_key')
    if (Number(ctx.req.headers['content-length'] ?? 0) > largestImport) throw new ApiError('body_too_large')
    if (ctx.req.headers['content-encoding']) throw new ApiError('unsupported_media_type')
    ctx.set('Cache-Control', 'no-store')
    try {
      const body = atMost(ctx.req.iterator({ destroyOnReturn: false }), largestImport)
      const { counts, warnings, warningCount } = await load(body, whileConnected(ctx))
      ctx.body = { status: 'success', counts, warnings, warning_count: warningCount }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      const { problems, more } = error
      ctx.status = 422
      ctx.body = { status: 'error', msg: 'Nothing was stored', problems, more }
    }
  })
}
