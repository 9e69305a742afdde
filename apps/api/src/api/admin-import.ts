import type Router from '@koa/router'
import { ApiError } from '../http/api-error.ts'
import { requireBearer } from '../http/bearer-token.ts'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext, RequestState } from '../http/state.ts'
import { ImportError, type ImportResult } from '../import-export/import.ts'

export interface AdminImportOptions {
  /** Without one there is no route. */
  token: string | undefined
  /** An abort stops it, and nothing is stored. */
  load: (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<ImportResult>
}

const maxImportSize = 16 * 1024 * 1024

/** Stops reading past the limit, whatever `Content-Length` said. */
async function* limitSize(source: AsyncIterable<Uint8Array>) {
  let length = 0
  try {
    for await (const chunk of source) {
      length += chunk.length
      if (length > maxImportSize) throw new ApiError('body_too_large')
      yield chunk
    }
  } catch (error) {
    // Whatever else ends a body early is the connection.
    throw error instanceof ApiError || isParserError(error) ? error : new ApiError('malformed_body')
  }
}

/** Aborts when the client disconnects: what cannot be confirmed is not stored. */
function abortOnDisconnect({ req, res }: RequestContext): AbortSignal {
  const controller = new AbortController()
  // The body may break off before it is read; its reader would wait for the rest.
  req.once('error', (error) => controller.abort(error))
  res.once('close', () => controller.abort(new ApiError('malformed_body')))
  return controller.signal
}

/** `POST /admin/import`: records as NDJSON from a shop elsewhere, in the format of `import`. */
export function mountAdminImport(router: Router<RequestState>, { token, load }: AdminImportOptions) {
  if (!token) return
  const authorize = requireBearer(token)
  router.post('/admin/import', async (ctx) => {
    authorize(ctx.req)
    if (Number(ctx.req.headers['content-length'] ?? 0) > maxImportSize) throw new ApiError('body_too_large')
    if (ctx.req.headers['content-encoding']) throw new ApiError('unsupported_media_type')
    ctx.set('Cache-Control', 'no-store')
    try {
      const body = limitSize(ctx.req.iterator({ destroyOnReturn: false }))
      const { counts, warnings, warningCount } = await load(body, abortOnDisconnect(ctx))
      ctx.body = { status: 'success', counts, warnings, warning_count: warningCount }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      const { problems, more } = error
      ctx.status = 422
      ctx.body = { status: 'error', msg: 'Nothing was stored', problems, more }
    }
  })
}
