import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { parse as parseContentType } from 'content-type'
import getRawBody from 'raw-body'
import { ApiError } from './api-error.ts'
import { decode } from './content-encoding.ts'
import { jsonFields } from './json-fields.ts'
import { parseMultipart } from './multipart.ts'
import { isParserError } from './parser-errors.ts'
import type { Parameter, RequestContext } from './state.ts'

/** The largest body, before and after it is uncompressed. */
export const bodyLimit = 16 * 1024

const jsonType = /^application\/(?:json|[a-z0-9][\w.-]{0,121}\+json)$/
/** Parameters after the type, each well-formed. */
const parameters =
  /^[^;\t]*(?:; *[\w!#$%&'*+.^`|~-]+ *= *(?:"(?:[ !#-[\]-~\x80-\xff]|\\[ -~])*"|[\w!#$%&'*+.^`|~-]+) *)*;?$/

const earlyBodies = new WeakMap<IncomingMessage, Buffer | Error>()

/** Keeps the body of a request that was read before the routes, or the error of reading it. */
export const keepBody = (incoming: IncomingMessage, body: Buffer | Error) =>
  void earlyBodies.set(incoming, body)

/** Reads the bytes, or takes those that were read before. */
async function readBytes(ctx: RequestContext): Promise<Buffer> {
  const earlyBody = earlyBodies.get(ctx.req)
  if (earlyBody instanceof Buffer) return earlyBody
  const length = ctx.req.headers['content-length']
  try {
    if (earlyBody) throw earlyBody
    return await getRawBody(ctx.req, { limit: bodyLimit, ...(length !== undefined && { length }) })
  } catch (error) {
    if (isParserError(error)) throw error
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large'
    throw new ApiError(tooLarge ? 'body_too_large' : 'malformed_body')
  }
}

/**
 * The text of a body, which is UTF-8. Clients that call it something else (some form libraries say ISO-8859-1) are understood as long as
 * it is ASCII, which means the same everywhere.
 */
function decodeText(bytes: Buffer, charset: string): string {
  if (charset === 'utf-8' || charset === 'utf8') {
    if (!isUtf8(bytes)) throw new ApiError('malformed_body')
  } else if (!isAscii(bytes)) throw new ApiError('unsupported_media_type')
  return bytes.toString().replace(/^\ufeff/, '')
}

function parseJson(text: string): Parameter[] {
  const fields = text === '' ? [] : jsonFields(text)
  if (!fields) throw new ApiError('malformed_body')
  return fields
}

/** The parameters in a body: JSON, a form or multipart. */
export async function readBody(ctx: RequestContext): Promise<readonly Parameter[]> {
  const sent = await readBytes(ctx)
  if (sent.length === 0) return []
  const header = ctx.req.headers['content-type'] ?? ''
  const contentType = parseContentType(header)
  const type = contentType.type.toLowerCase()
  const isJson = jsonType.test(type)
  const isMultipart = type === 'multipart/form-data'
  if (!isJson && !isMultipart && type !== 'application/x-www-form-urlencoded')
    throw new ApiError('unsupported_media_type')
  const bytes = await decode(sent, ctx.req.headers['content-encoding'], bodyLimit)
  if (bytes.length === 0) return []
  // A part of a multipart body has a charset of its own, or is a file that is not text at all.
  if (isMultipart) return parseMultipart(header, bytes)
  const text = decodeText(bytes, (contentType.parameters.charset ?? 'utf-8').toLowerCase())
  // Keeps every pair: other parsers make arrays and objects of names such as `a[b]`.
  if (!isJson) return [...new URLSearchParams(text)]
  if (!parameters.test(header)) throw new ApiError('unsupported_media_type')
  return parseJson(text)
}
