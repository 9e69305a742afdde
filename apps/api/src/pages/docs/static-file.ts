import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { getOrAdd } from '../../get-or-add.ts'
import type { RequestContext } from '../../http/state.ts'

interface StaticFile {
  /** A media type or a file extension. */
  type: string
  /** Without it the file is revalidated before reuse, so that a new version shows at once. */
  cacheControl?: string
  read: () => Buffer
  /** Readers of copies compressed by the build, by encoding, best first. Without any, text is compressed here. */
  compressed?: Readonly<Record<string, () => Buffer>>
}

/** Reads a file on the first request, and compresses it once. */
export function serveFile({ type, cacheControl = 'no-cache', read, compressed }: StaticFile) {
  const variants = new Map<string, { bytes: Buffer; tag: string }>()
  // Images are already compressed.
  const copies = compressed ?? (type.startsWith('image/') ? {} : { gzip: () => gzipSync(read()) })
  const readers = new Map([...Object.entries(copies), ['identity', read]])

  function make(encoding: string) {
    const bytes = (readers.get(encoding) ?? read)()
    return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
  }

  return function serveFile(ctx: RequestContext) {
    // Browsers accept all encodings equally, and Koa would choose the one that they list first.
    const accepted = ctx.acceptsEncodings()
    const encoding = [...readers.keys()].find((each) => accepted.includes(each)) ?? 'identity'
    const { bytes, tag } = getOrAdd(variants, encoding, () => make(encoding))
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

export const serveText = (type: string, text: string) =>
  serveFile({ type: `${type}; charset=utf-8`, read: () => Buffer.from(text) })
