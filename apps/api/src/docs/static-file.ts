import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'koa'

const compress = promisify(gzip)

export interface StaticFile {
  /** A media type or a file extension. */
  type: string
  cacheControl: string
  read: () => Buffer | Promise<Buffer>
}

interface Variant {
  bytes: Buffer
  tag: string
}

/** Reads a file when it is first asked for, and compresses it once. */
export function serveFile({ type, cacheControl, read }: StaticFile) {
  const variants = new Map<string, Promise<Variant>>()

  async function make(encoding: string): Promise<Variant> {
    const plain = await read()
    const bytes = encoding === 'gzip' ? await compress(plain) : plain
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
    return { bytes, tag: `"${hash}-${encoding}"` }
  }

  function variant(encoding: string): Promise<Variant> {
    const known = variants.get(encoding)
    if (known) return known
    const made = make(encoding)
    variants.set(encoding, made)
    // What failed once is tried again: a file may be unreadable for a moment only.
    made.catch(() => variants.delete(encoding))
    return made
  }

  // Images are compressed already.
  const encodings = type.startsWith('image/') ? ['identity'] : ['gzip', 'identity']

  return async function serveFile(ctx: Context) {
    const encoding = ctx.acceptsEncodings(...encodings) || 'identity'
    const { bytes, tag } = await variant(encoding)
    ctx.status = 200
    ctx.set({ 'Cache-Control': cacheControl, ETag: tag, Vary: 'Accept-Encoding' })
    // Not `ctx.fresh`: it sends everything again to callers whose `fetch` adds `Cache-Control: no-cache` by itself.
    if (ctx.get('If-None-Match').includes(tag)) {
      ctx.status = 304
      return
    }
    ctx.type = type
    if (encoding === 'gzip') ctx.set('Content-Encoding', 'gzip')
    ctx.body = bytes
  }
}
