import { ApiError } from './api-error.ts'
import { isParserError } from './parser-errors.ts'
import type { RequestContext } from './state.ts'

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

/** The body of an import, to be read as it arrives. */
export function readImport(ctx: RequestContext) {
  if (Number(ctx.req.headers['content-length'] ?? 0) > maxImportSize) throw new ApiError('body_too_large')
  if (ctx.req.headers['content-encoding']) throw new ApiError('unsupported_media_type')
  return { source: limitSize(ctx.req.iterator({ destroyOnReturn: false })), signal: abortOnDisconnect(ctx) }
}
