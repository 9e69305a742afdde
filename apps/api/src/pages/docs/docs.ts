import type Router from '@koa/router'
import { openApiDocument } from '@saleproof/schema/openapi'
import { withPolicy } from '../../http/page-policy.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { errorsPage } from './errors-page.ts'
import { logo } from './logo.ts'
import { initializer, referencePage } from './reference-page.ts'
import { type StaticFile, serveFile } from './static-file.ts'
import { stylesheet } from './stylesheet.ts'
import { viewerFiles } from './viewer.ts'

export interface DocsOptions {
  /** The public address with its path prefix. A function, because a free port is known only after listening. */
  publicUrl: () => string
  version: string
}

export interface DocsRoute {
  path: string
  handle: (ctx: RequestContext) => Promise<void>
}

/** Must be revalidated before reuse, so that a new version shows at once. */
const revalidated = 'no-cache'

const page = (type: string, content: string): StaticFile => ({
  type,
  cacheControl: revalidated,
  read: () => Buffer.from(content),
})

/** Relative to the address that the browser knows, whatever prefix a proxy removed. */
const redirect = (path: string, location: string): DocsRoute => ({
  path,
  async handle(ctx) {
    ctx.status = 308
    ctx.set('Location', location)
    ctx.set('Cache-Control', revalidated)
  },
})

function openApiRoute({ publicUrl, version }: DocsOptions): DocsRoute {
  let serverUrl: string | undefined
  let serve: ReturnType<typeof serveFile> | undefined
  return {
    path: '/openapi.json',
    handle(ctx) {
      const current = publicUrl()
      if (!serve || serverUrl !== current) {
        serverUrl = current
        serve = serveFile(
          page('application/json; charset=utf-8', JSON.stringify(openApiDocument({ serverUrl, version }))),
        )
      }
      return serve(ctx)
    },
  }
}

/** The documentation as routes: the OpenAPI document, the reference, and the page of error codes. */
export function createDocs(options: DocsOptions): readonly DocsRoute[] {
  const html = 'text/html; charset=utf-8'
  const files: readonly (readonly [path: string, file: StaticFile])[] = [
    ['/docs', page(html, referencePage)],
    ['/docs/errors', page(html, errorsPage())],
    ['/favicon.ico', { type: 'image/svg+xml', cacheControl: revalidated, read: () => Buffer.from(logo) }],
    ['/docs/docs.css', page('text/css; charset=utf-8', stylesheet)],
    ['/docs/initializer.js', page('text/javascript; charset=utf-8', initializer)],
    ...viewerFiles().map(([name, file]) => [`/docs/${name}`, file] as const),
  ]
  return [
    openApiRoute(options),
    ...files.map(([path, file]) => ({ path, handle: serveFile(file) })),
    redirect('/docs/', '../docs'),
    redirect('/docs/errors/', '../errors'),
  ]
}

/** Everything comes from this host, and there are no inline scripts or styles. The viewer's images are data URLs. */
const policy = () =>
  withPolicy({
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    imgSrc: ["'self'", 'data:'],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
  })

export function mountDocs(router: Router<RequestState>, options: DocsOptions): void {
  const protect = policy()
  for (const { path, handle } of createDocs(options)) {
    router.get(path, protect, handle)
  }
}
