import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestContext } from '../../http/state.ts'

const compress = promisify(gzip)

export interface StaticFile {
  /** A media type or a file extension. */
  type: string
  cacheControl: string
  read: () => Buffer | Promise<Buffer>
  /** Readers of copies compressed by the build, by encoding, best first. Without any, text is compressed here. */
  compressed?: Readonly<Record<string, () => Promise<Buffer>>>
}

interface Variant {
  bytes: Buffer
  tag: string
}

/** Reads a file on the first request, and compresses it once. */
export function serveFile({ type, cacheControl, read, compressed }: StaticFile) {
  const variants = new Map<string, Promise<Variant>>()
  // Images are already compressed.
  const zip = async () => compress(await read())
  const compressors = compressed ?? (type.startsWith('image/') ? {} : { gzip: zip })
  const encodings = [...Object.keys(compressors), 'identity']

  async function make(encoding: string): Promise<Variant> {
    const bytes = await (compressors[encoding] ?? read)()
    return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
  }

  function variant(encoding: string): Promise<Variant> {
    const known = variants.get(encoding)
    if (known) return known
    const made = make(encoding)
    variants.set(encoding, made)
    // Retried with the next request: the error may be temporary.
    made.catch(() => variants.delete(encoding))
    return made
  }

  return async function serveFile(ctx: RequestContext) {
    // Browsers accept all encodings equally, and Koa would choose the one that they list first.
    const accepted = ctx.acceptsEncodings()
    const encoding = encodings.find((each) => accepted.includes(each)) ?? 'identity'
    const { bytes, tag } = await variant(encoding)
    ctx.status = 200
    ctx.set({ 'Cache-Control': cacheControl, ETag: tag, Vary: 'Accept-Encoding' })
    // Not `ctx.fresh`, which ignores `If-None-Match` from clients whose `fetch` adds `Cache-Control: no-cache`.
    if (ctx.get('If-None-Match').includes(tag)) {
      ctx.status = 304
      return
    }
    ctx.type = type
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
    ctx.body = bytes
  }
}
