import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'
import { errorCode } from '../../error-code.ts'
import { ApiError } from '../../http/api-error.ts'
import { withPolicy } from '../../http/page-policy.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { packageRoot } from '../../package.ts'
import type { ShowMissingPage } from '../browser-pages.ts'
import { serveFile, serveText } from '../docs/static-file.ts'
import { mountPreview } from './preview.ts'

/** The console's pages, which the build copies. */
export const consoleBuild = fileURLToPath(new URL('dist/console', packageRoot))

interface Manifest {
  /** Paths below `/console`, in the syntax of the router. */
  pages: string[]
  /** The files, and the encodings of the compressed copies beside them, best first. */
  files: Record<string, { type: string; encodings: string[] }>
}

/** Reads the manifest that the console's build wrote; undefined where the console was not built. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'console.json'), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

type Serve = (ctx: RequestContext) => void

/** File names change with the content. */
const immutable = 'public, max-age=31536000, immutable'

/**
 * The address of the console relative to one of its pages: the service may run below a prefix that a proxy removes and that is not
 * configured.
 */
function basePath(path: string): string {
  if (path === '') return 'console/'
  const depth = path.split('/').length - 2
  return '../'.repeat(depth) || './'
}

function indexAt(html: string, path: string): Serve {
  return serveText('text/html', html.replace(/<base href="[^"]*">/, `<base href="${basePath(path)}">`))
}

/** The hashes of what a page holds inline: it applies before any file has come. */
const hashesOf = (tag: 'script' | 'style', html: string) =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )

/** All else comes from this host. `baseUri` allows the element `base` that the service writes. */
const directivesOf = (html: string) => ({
  defaultSrc: ["'none'"],
  baseUri: ["'self'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'"],
  scriptSrc: ["'self'", ...hashesOf('script', html)],
  styleSrc: ["'self'", ...hashesOf('style', html)],
  requireTrustedTypesFor: ["'script'"],
})

/** For a file that is opened by itself; otherwise, the policy of the page applies. */
const fileHeaders = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

function builtFiles(folder: string, files: Manifest['files']) {
  return new Map(
    Object.entries(files).map(([name, { type, encodings }]): [string, Serve] => {
      const read = () => readFileSync(join(folder, name))
      const copies = encodings.map((encoding) => [
        encoding,
        () => readFileSync(join(folder, `${name}.${encoding}`)),
      ])
      return [
        name,
        serveFile({ type, cacheControl: immutable, read, compressed: Object.fromEntries(copies) }),
      ]
    }),
  )
}

/** Serves the built files in `folder`: the console and the API reference. Returns how to show that a page is missing; undefined if nothing was built. */
export function mountConsolePages(
  router: Router<RequestState>,
  { folder }: { folder: string },
): ShowMissingPage | undefined {
  const manifest = readManifest(folder)
  if (!manifest) return undefined
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  // The preview page shows the media of an item in a frame.
  const protect = withPolicy({ ...directivesOf(html), frameSrc: ["'self'"] })
  // The console has two addresses, with and without a slash, so that neither needs a redirect.
  const paths = manifest.pages.flatMap((path) => (path === '/' ? ['', '/'] : [path]))
  for (const path of paths) {
    const serve = indexAt(html, path)
    router.get(`/console${path}`, protect, serve)
  }
  // The API reference is built with the console, whose files it shares; its base is the console, too.
  const reference = readFileSync(join(folder, 'docs.html'), 'utf8')
  router.get('/docs', withPolicy(directivesOf(reference)), indexAt(reference, ''))
  const files = builtFiles(folder, manifest.files)
  router.get('/console/assets/:file', (ctx) => {
    const serve = files.get(`assets/${ctx.params.file}`)
    if (!serve) throw new ApiError('route_not_found')
    ctx.set(fileHeaders)
    serve(ctx)
  })
  mountPreview(router)
  return async function showMissingPage(ctx) {
    ctx.state.route = '/console'
    await protect(ctx, async () => {})
    indexAt(html, ctx.path.slice('/console'.length))(ctx)
    ctx.remove('ETag')
    ctx.set('Cache-Control', 'no-store')
    ctx.status = 404
  }
}
