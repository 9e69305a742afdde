import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { Busboy } from '@fastify/busboy'
import { parse as parseContentType } from 'content-type'
import getRawBody from 'raw-body'
import { ApiError } from './api-error.ts'
import { jsonFields } from './json-fields.ts'
import { isParserError } from './parser-errors.ts'
import type { Parameter, RequestContext } from './state.ts'

/** The largest body, before and after it is uncompressed. */
export const bodyLimit = 16 * 1024

const gunzip = promisify(zlib.gunzip)
const inflate = promisify(zlib.inflate)
const inflateRaw = promisify(zlib.inflateRaw)
const brotli = promisify(zlib.brotliDecompress)
const options = { maxOutputLength: bodyLimit }

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

/** The low four bits of a zlib stream's first byte are 8 and its first two bytes are a multiple of 31; bare deflate is also sent. */
const hasZlibHeader = ([first = 0, second = 0]: Buffer) =>
  (first & 15) === 8 && ((first << 8) | second) % 31 === 0

function uncompress(bytes: Buffer, encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return bytes
    case 'gzip':
    case 'x-gzip':
      return gunzip(bytes, options)
    case 'deflate':
      return hasZlibHeader(bytes) ? inflate(bytes, options) : inflateRaw(bytes, options)
    case 'br':
      return brotli(bytes, options)
    default:
      throw new ApiError('unsupported_media_type')
  }
}

/** Undoes a `Content-Encoding`. */
async function decode(bytes: Buffer, contentEncoding = ''): Promise<Buffer> {
  try {
    return await uncompress(bytes, contentEncoding.trim().toLowerCase())
  } catch (error) {
    if (error instanceof ApiError) throw error
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
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

/** A body that breaks off is reported by the parser and by the part it was in, each in its own time. Unhandled, either ends the process. */
const ignore = () => {}

/** Text fields are parameters; a file under the name of a parameter is a value that is not a string. */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<Parameter[]> {
  const fields: Parameter[] = []
  let files = 0
  try {
    const busboy = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fields: 1000, files: 1000 },
    })
    busboy.on('error', ignore)
    busboy.on('field', (name, value) => void fields.push([name, value]))
    busboy.on('file', (name, stream) => {
      stream.on('error', ignore)
      stream.resume()
      files++
      fields.push([name, stream])
    })
    await pipeline(Readable.from([bytes]), busboy)
  } catch {
    throw new ApiError('malformed_body')
  }
  if (files === 0 && !isUtf8(bytes)) throw new ApiError('malformed_body')
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
  const bytes = await decode(sent, ctx.req.headers['content-encoding'])
  if (bytes.length === 0) return []
  // A part of a multipart body has a charset of its own, or is a file that is not text at all.
  if (isMultipart) return parseMultipart(header, bytes)
  const text = decodeText(bytes, (contentType.parameters.charset ?? 'utf-8').toLowerCase())
  // Keeps every pair: other parsers make arrays and objects of names such as `a[b]`.
  if (!isJson) return [...new URLSearchParams(text)]
  if (!parameters.test(header)) throw new ApiError('unsupported_media_type')
  return parseJson(text)
}
