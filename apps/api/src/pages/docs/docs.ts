import type Router from '@koa/router'
import { type Locale, locales } from '@saleproof/schema'
import { openApiDocument } from '@saleproof/schema/openapi'
import { acceptedLocale } from '../../http/locale.ts'
import { withPolicy } from '../../http/page-policy.ts'
import type { RequestContext, RequestMiddleware, RequestState } from '../../http/state.ts'
import { errorsPage } from './errors-page.ts'
import { logo } from './logo.ts'
import { phpClient } from './php-client.ts'
import { type StaticFile, serveFile } from './static-file.ts'
import { stylesheet } from './stylesheet.ts'

interface DocsOptions {
  /** The public address with its path prefix. A function, because a free port is known only after listening. */
  publicUrl: () => string
  version: string
}

/** Must be revalidated before reuse, so that a new version shows at once. */
const revalidated = 'no-cache'

const page = (type: string, content: string): StaticFile => ({
  type,
  cacheControl: revalidated,
  read: () => Buffer.from(content),
})

/** Browsers save the response in place of showing it. */
const saved =
  (name: string): RequestMiddleware =>
  (ctx, next) => {
    ctx.set('Content-Disposition', `attachment; filename="${name}"`)
    return next()
  }

/** Relative to the address that the browser knows, whatever prefix a proxy removed. */
const redirect = (location: string) => async (ctx: RequestContext) => {
  ctx.status = 308
  ctx.set('Location', location)
  ctx.set('Cache-Control', revalidated)
}

function openApi({ publicUrl, version }: DocsOptions) {
  let serverUrl: string | undefined
  let serve: ReturnType<typeof serveFile> | undefined
  return (ctx: RequestContext) => {
    const current = publicUrl()
    if (!serve || serverUrl !== current) {
      serverUrl = current
      serve = serveFile(
        page('application/json; charset=utf-8', JSON.stringify(openApiDocument({ serverUrl, version }))),
      )
    }
    return serve(ctx)
  }
}

/** A page in the language that the browser prefers. */
function localized(render: (locale: Locale) => string) {
  const pages = new Map(
    locales.map((locale) => [locale, serveFile(page('text/html; charset=utf-8', render(locale)))]),
  )
  return async (ctx: RequestContext) => {
    const locale = acceptedLocale(ctx.get('accept-language')) ?? 'en'
    await pages.get(locale)?.(ctx)
    ctx.set('Content-Language', locale)
    ctx.vary('Accept-Language')
  }
}

/** These pages load a stylesheet and an icon of this host, and run no scripts. */
const policy = () =>
  withPolicy({
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    imgSrc: ["'self'"],
    styleSrc: ["'self'"],
  })

/** What needs no script: the OpenAPI document, the page of error codes and the client for PHP. */
export function mountDocs(router: Router<RequestState>, options: DocsOptions): void {
  const protect = policy()
  const serve = (path: string, file: StaticFile) => router.get(path, protect, serveFile(file))
  router.get('/openapi.json', protect, openApi(options))
  router.get('/docs/errors', protect, localized(errorsPage))
  serve('/favicon.ico', { type: 'image/svg+xml', cacheControl: revalidated, read: () => Buffer.from(logo) })
  router.get('/docs/saleproof.php', protect, saved('saleproof.php'), serveFile(phpClient))
  serve('/docs/docs.css', page('text/css; charset=utf-8', stylesheet))
  router.get('/docs/', protect, redirect('../docs'))
  router.get('/docs/errors/', protect, redirect('../errors'))
}
