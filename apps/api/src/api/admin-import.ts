import type Router from '@koa/router'
import { ImportError, type ImportResult } from '../domain/imports.ts'
import { requireBearer } from '../http/bearer-token.ts'
import { readImport } from '../http/import-body.ts'
import type { RequestState } from '../http/state.ts'

export interface AdminImportOptions {
  /** Without one there is no route. */
  token: string | undefined
  /** An abort stops it, and nothing is stored. */
  load: (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<ImportResult>
}

/** `POST /admin/import`: records as NDJSON from a shop elsewhere, in the format of `import`. */
export function mountAdminImport(router: Router<RequestState>, { token, load }: AdminImportOptions) {
  if (!token) return
  const authorize = requireBearer(token)
  router.post('/admin/import', async (ctx) => {
    authorize(ctx.req)
    ctx.set('Cache-Control', 'no-store')
    const { source, signal } = readImport(ctx)
    try {
      const { counts, warnings, warningCount } = await load(source, signal)
      ctx.body = { status: 'success', counts, warnings, warning_count: warningCount }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      const { problems, more } = error
      ctx.status = 422
      ctx.body = { status: 'error', msg: 'Nothing was stored', problems, more }
    }
  })
}
