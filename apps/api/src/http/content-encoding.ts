import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { ApiError } from './api-error.ts'

const gunzip = promisify(zlib.gunzip)
const inflate = promisify(zlib.inflate)
const inflateRaw = promisify(zlib.inflateRaw)
const brotli = promisify(zlib.brotliDecompress)

/** The low four bits of a zlib stream's first byte are 8 and its first two bytes are a multiple of 31; bare deflate is also sent. */
const hasZlibHeader = ([first = 0, second = 0]: Buffer) =>
  (first & 15) === 8 && ((first << 8) | second) % 31 === 0

function uncompress(bytes: Buffer, encoding: string, options: { maxOutputLength: number }) {
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

/** Undoes a `Content-Encoding`, up to `limit` bytes. */
export async function decode(bytes: Buffer, contentEncoding = '', limit: number): Promise<Buffer> {
  try {
    return await uncompress(bytes, contentEncoding.trim().toLowerCase(), { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof ApiError) throw error
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new ApiError(tooLarge ? 'body_too_large' : 'malformed_body')
  }
}
