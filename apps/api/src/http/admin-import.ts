import { createHash, timingSafeEqual } from 'node:crypto'
import type Router from '@koa/router'
import { ImportError, type ImportResult } from '../import/import.ts'
import { Failure } from './failure.ts'
import type { RequestState } from './state.ts'

export interface AdminImportOptions {
  token: string
  load: (source: AsyncIterable<Uint8Array>) => Promise<ImportResult>
}

const largestImport = 16 * 1024 * 1024

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Stops reading where the limit is passed, whatever `Content-Length` said. */
async function* atMost(source: AsyncIterable<Uint8Array>, limit: number) {
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) throw new Failure('body_too_large')
    yield chunk
  }
}

/** `POST /admin/import`: NDJSON from a shop elsewhere, in the form of `import`. */
export function mountAdminImport(router: Router<RequestState>, { token, load }: AdminImportOptions) {
  const expected = digest(token)
  router.post('/admin/import', async (ctx) => {
    const given = /^bearer\s+(.*)$/i.exec(ctx.get('authorization').trim())?.[1] ?? ''
    if (!timingSafeEqual(digest(given), expected)) {
      throw new Failure(given ? 'invalid_api_key' : 'missing_api_key')
    }
    if (Number(ctx.req.headers['content-length'] ?? 0) > largestImport) throw new Failure('body_too_large')
    if (ctx.req.headers['content-encoding']) throw new Failure('unsupported_media_type')
    ctx.set('Cache-Control', 'no-store')
    try {
      const { counts, warnings } = await load(atMost(ctx.req, largestImport))
      ctx.body = { status: 'success', counts, warnings }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      ctx.status = 422
      ctx.body = { status: 'error', msg: 'Nothing was stored', problems: error.problems }
    }
  })
}
