import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import Negotiator from 'negotiator'
import type { RequestContext } from './state.ts'

/** Below this a compressed body saves next to nothing: it fits into the first packets either way. */
export const smallestCompressed = 4096

type Compress<Options> = (bytes: Buffer, options?: Options) => Promise<Buffer>
/** Missing in Node.js before 22.15, whatever the types say. */
const { zstdCompress } = zlib as Partial<typeof zlib>
const zstd: Compress<zlib.ZstdOptions> | undefined = zstdCompress && promisify(zstdCompress)
const brotli: Compress<zlib.BrotliOptions> = promisify(zlib.brotliCompress)
const gzip: Compress<zlib.ZlibOptions> = promisify(zlib.gzip)

/** Quality 4 of 11: those above it take many times as long for a few per cent. */
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses a body in an encoding that `encodingFor` gave. */
export const encoders = {
  zstd: (bytes: Buffer) => zstd!(bytes),
  br: (bytes: Buffer) => brotli(bytes, brotliOptions),
  gzip: (bytes: Buffer) => gzip(bytes),
} as const

export type Encoding = keyof typeof encoders | 'identity'

const available: readonly Encoding[] = [...(zstd ? (['zstd'] as const) : []), 'br', 'gzip', 'identity']

/** Negotiator 1.1, whose types are those of an older version: `preferred` decides among what the caller likes as much. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}

/** The best encoding that the caller takes. */
export function encodingFor(acceptEncoding: string | undefined, length: number): Encoding {
  if (acceptEncoding === undefined || length < smallestCompressed) return 'identity'
  const headers = { 'accept-encoding': acceptEncoding }
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator
  return (negotiator.encoding(available, { preferred: available }) ?? 'identity') as Encoding
}

/** What an answer to a GET depends on beside its address. */
export const vary = 'Authorization, X-Api-Key, Accept-Language, Accept-Encoding'

/** Whether `If-None-Match` names the tag; weak comparison, as RFC 9110 asks for here. */
export function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag)
}

/** Sends a success: compressed where that pays, and to a GET with an entity tag of its own for each encoding. */
export async function answer(ctx: RequestContext, json: string, { conditional }: { conditional: boolean }) {
  const bytes = Buffer.from(json)
  const encoding = encodingFor(ctx.req.headers['accept-encoding'], bytes.length)
  ctx.status = 200
  ctx.set('Cache-Control', conditional ? 'private, no-cache' : 'no-store')
  if (conditional) {
    const language = String(ctx.response.get('Content-Language'))
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}-${language}-${encoding}"`
    ctx.set('ETag', tag)
    ctx.set('Vary', vary)
    if (matches(ctx.req.headers['if-none-match'], tag)) {
      ctx.status = 304
      return
    }
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = encoding === 'identity' ? bytes : await encoders[encoding](bytes)
}
