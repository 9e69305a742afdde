import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import Negotiator from 'negotiator'
import type { RequestContext } from './state.ts'

/** Below this a compressed body saves nothing: it fits into the first packets either way. */
const smallestCompressed = 1024

type Compress<Options> = (bytes: Buffer, options?: Options) => Promise<Buffer>
const zstd: Compress<zlib.ZstdOptions> = promisify(zlib.zstdCompress)
const brotli: Compress<zlib.BrotliOptions> = promisify(zlib.brotliCompress)
const gzip: Compress<zlib.ZlibOptions> = promisify(zlib.gzip)

/** Quality 4 of 11: those above it take many times as long for a few per cent. */
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

const encoders = {
  zstd: (bytes: Buffer) => zstd(bytes),
  br: (bytes: Buffer) => brotli(bytes, brotliOptions),
  gzip: (bytes: Buffer) => gzip(bytes),
} as const

const available = [...(Object.keys(encoders) as (keyof typeof encoders)[]), 'identity'] as const
type Encoding = (typeof available)[number]

/** Ours first among those that the caller likes as much. The types of Negotiator do not know this argument. */
const preference = { preferred: [...available] } as never

/** The best encoding that the caller takes. */
export function encodingFor(acceptEncoding: string | undefined, length: number): Encoding {
  if (acceptEncoding === undefined || length < smallestCompressed) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  return (negotiator.encoding([...available], preference) ?? 'identity') as Encoding
}

const vary = 'Authorization, X-Api-Key, Accept-Language, Accept-Encoding'

/** Whether `If-None-Match` names the tag; weak comparison, as RFC 9110 asks for here. */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
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
