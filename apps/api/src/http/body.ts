import { isAscii, isUtf8 } from 'node:buffer'
import { parse as parseContentType } from 'content-type'
import getRawBody from 'raw-body'
import { ApiError } from './api-error.ts'
import { parseForm, parseJson, parseMultipart } from './body-formats.ts'
import { decoderOf } from './content-encoding.ts'
import { isParserError } from './parser-errors.ts'
import type { Parameter, RequestContext, RequestMiddleware } from './state.ts'

/** The largest body, before and after it is uncompressed. */
export const bodyLimit = 16 * 1024

type Parse = (ctx: RequestContext, bytes: Buffer) => Promise<readonly Parameter[]>

function parserOf(type: string): Parse | undefined {
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return parseJson
  if (type === 'application/x-www-form-urlencoded') return parseForm
  if (type === 'multipart/form-data') return parseMultipart
  return undefined
}

async function readBytes(ctx: RequestContext): Promise<Buffer> {
  const early = ctx.state.earlyBody
  if (early instanceof Buffer) return early
  const length = ctx.req.headers['content-length']
  try {
    if (early) throw early
    return await getRawBody(ctx.req, { limit: bodyLimit, ...(length !== undefined && { length }) })
  } catch (error) {
    if (isParserError(error)) throw error
    const tooLarge = (error as { type?: string }).type === 'entity.too.large'
    throw new ApiError(tooLarge ? 'body_too_large' : 'malformed_body')
  }
}

function contentTypeOf(ctx: RequestContext) {
  try {
    const { type, parameters } = parseContentType(ctx.req.headers['content-type'] ?? '')
    return { type: type.toLowerCase(), charset: (parameters.charset ?? 'utf-8').toLowerCase() }
  } catch {
    throw new ApiError('unsupported_media_type')
  }
}

/**
 * A body is UTF-8. Clients that call it something else (some form libraries say ISO-8859-1) are understood as long as it is
 * ASCII, which means the same everywhere.
 */
function requireReadable(bytes: Buffer, charset: string) {
  if (charset === 'utf-8' || charset === 'utf8') {
    if (!isUtf8(bytes)) throw new ApiError('malformed_body')
  } else if (!isAscii(bytes)) throw new ApiError('unsupported_media_type')
}

async function parseBody(ctx: RequestContext): Promise<readonly Parameter[]> {
  const sent = await readBytes(ctx)
  if (sent.length === 0) return []
  const { type, charset } = contentTypeOf(ctx)
  const parse = parserOf(type)
  const decode = decoderOf(ctx.req.headers['content-encoding'])
  if (!parse || !decode) throw new ApiError('unsupported_media_type')
  const bytes = await decode(sent, bodyLimit)
  if (bytes.length === 0) return []
  // A part of a multipart body has a charset of its own, or is a file that is not text at all.
  if (parse !== parseMultipart) requireReadable(bytes, charset)
  return parse(ctx, bytes)
}

/** Reads the parameters of a POST body, of whichever of the three types it is. */
export function body(): RequestMiddleware {
  return async function body(ctx, next) {
    if (ctx.method === 'POST') ctx.state.body = await parseBody(ctx)
    await next()
  }
}
