import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { ApiError } from './api-error.ts'

type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
/** Uncompresses a body, to at most `limit` bytes. */
type Decode = (bytes: Buffer, limit: number) => Promise<Buffer>

const gunzip: Inflate = promisify(zlib.gunzip)
const inflate: Inflate = promisify(zlib.inflate)
const inflateRaw: Inflate = promisify(zlib.inflateRaw)
const brotli: Inflate = promisify(zlib.brotliDecompress)

/** The low four bits of a zlib stream's first byte are 8 and its first two bytes are a multiple of 31; bare deflate is also sent. */
const hasZlibHeader = ([first = 0, second = 0]: Buffer) =>
  (first & 15) === 8 && ((first << 8) | second) % 31 === 0

const inflaters: Readonly<Record<string, Inflate>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes, options) => (hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, options),
  br: brotli,
}

const guarded =
  (inflater: Inflate): Decode =>
  async (bytes, limit) => {
    try {
      return await inflater(bytes, { maxOutputLength: limit })
    } catch (error) {
      const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      throw new ApiError(tooLarge ? 'body_too_large' : 'malformed_body')
    }
  }

/** What undoes a `Content-Encoding`; undefined for one that is not taken. */
export function decoderOf(contentEncoding: string | undefined): Decode | undefined {
  const encoding = (contentEncoding ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return async (bytes) => bytes
  const inflater = Object.hasOwn(inflaters, encoding) ? inflaters[encoding] : undefined
  return inflater && guarded(inflater)
}
