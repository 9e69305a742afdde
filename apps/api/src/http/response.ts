import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Locale } from '@saleproof/schema'
import Negotiator from 'negotiator'
import type { RequestContext } from './state.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Below this a compressed body saves next to nothing: it fits into the first packets either way. */
const smallestCompressed = 4096

/** Quality 4 of 11: those above it take many times as long for a few per cent. */
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

const encodings = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof encodings)[number]

/** Encodes a body as `encodingFor` chose. */
export async function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return brotli(bytes, brotliOptions)
  return encoding === 'gzip' ? gzip(bytes) : bytes
}

/** Negotiator 1.1, whose types are those of an older version: `preferred` decides between encodings that the client likes equally. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}

/** The best encoding that the client accepts. */
export function encodingFor(acceptEncoding: string | undefined, length: number): Encoding {
  if (acceptEncoding === undefined || length < smallestCompressed) return 'identity'
  const headers = { 'accept-encoding': acceptEncoding }
  // The types of the library are those of an older version.
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator
  const best = negotiator.encoding(encodings, { preferred: encodings })
  return encodings.find((encoding) => encoding === best) ?? 'identity'
}

/** The part of an entity tag that stands for the body, whatever its language and encoding. */
export const bodyTag = (body: string | Buffer) => hash('sha256', body, 'base64url').slice(0, 27)

/** Whether `If-None-Match` names the tag; weak comparison, as RFC 9110 asks for here. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

interface Success {
  locale?: Locale | undefined
  encoding: Encoding
  /** The `bodyTag` of what a client may cache and ask for again; without it nothing may be kept. */
  tag?: string | undefined
  ifNoneMatch?: string | undefined
}

/** Status and headers of a success: of the routes and of the fast path. 304 where the client has the body already. */
export function successHead({ locale, encoding, tag, ifNoneMatch }: Success) {
  const headers: Record<string, string> = {}
  const etag = tag === undefined ? undefined : `"${tag}-${locale}-${encoding}"`
  const status = etag !== undefined && matches(ifNoneMatch, etag) ? 304 : 200
  if (status === 200) headers['Content-Type'] = jsonType
  headers['Cache-Control'] = etag === undefined ? 'no-store' : 'private, no-cache'
  if (locale) headers['Content-Language'] = locale
  if (etag !== undefined) {
    headers.ETag = etag
    headers.Vary = 'Authorization, X-Api-Key, Accept-Language, Accept-Encoding'
  }
  if (status === 200 && encoding !== 'identity') headers['Content-Encoding'] = encoding
  return { status, headers }
}

interface JsonOptions {
  locale?: Locale
  /** Whether clients may cache the body and ask for it again by its tag. */
  cacheable?: boolean
}

/** Sends a success from a route, compressed where that pays. */
export async function sendJson(
  ctx: RequestContext,
  value: unknown,
  { locale, cacheable = false }: JsonOptions = {},
) {
  const bytes = Buffer.from(JSON.stringify(value))
  const encoding = encodingFor(ctx.req.headers['accept-encoding'], bytes.length)
  const tag = cacheable ? bodyTag(bytes) : undefined
  const ifNoneMatch = ctx.req.headers['if-none-match']
  const { status, headers } = successHead({ locale, encoding, tag, ifNoneMatch })
  ctx.status = status
  ctx.set(headers)
  if (status === 200) ctx.body = await encode(bytes, encoding)
}
