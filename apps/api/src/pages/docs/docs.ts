import { readFile } from 'node:fs/promises'
import type Router from '@koa/router'
import { type Locale, locales } from '@saleproof/schema'
import { openApiDocument } from '@saleproof/schema/openapi'
import { getOrAdd } from '../../get-or-add.ts'
import { acceptedLocale } from '../../http/locale.ts'
import { protectPlainPage as protect } from '../../http/page-policy.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { packageRoot } from '../../package.ts'
import { errorsPage } from './errors-page.ts'
import { type StaticFile, serveFile } from './static-file.ts'
import { stylesheet } from './stylesheet.ts'

interface DocsOptions {
  /** The public address with its path prefix. A function, because a free port is known only after listening. */
  publicUrl: () => string
  version: string
}

/** Must be revalidated before reuse, so that a new version shows at once. */
const revalidated = 'no-cache'

/** The icon of every page that is not the console's. Browsers ask for `/favicon.ico` unasked, and take this for it. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 28 28">
  <title>Saleproof</title>
  <path fill="#0b6b52" d="M6 3h20a3 3 0 0 1 3 3v7.2a2.9 2.9 0 0 0 0 5.6V26a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-7.2a2.9 2.9 0 0 0 0-5.6V6a3 3 0 0 1 3-3Z"/>
  <path fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round" d="m10.5 16.4 3.9 3.9 7.3-8.3"/>
</svg>
`

const fromSource = import.meta.url.endsWith('.ts')

/** The client for plugins in PHP. The build contains a copy. */
const phpClient: StaticFile = {
  type: 'text/plain; charset=utf-8',
  cacheControl: revalidated,
  read: () =>
    readFile(new URL(fromSource ? '../../clients/php/saleproof.php' : 'dist/saleproof.php', packageRoot)),
}

const page = (type: string, content: string): StaticFile => ({
  type,
  cacheControl: revalidated,
  read: () => Buffer.from(content),
})

/** Relative to the address that the browser knows, whatever prefix a proxy removed. */
const redirect = (location: string) => async (ctx: RequestContext) => {
  ctx.status = 308
  ctx.set('Location', location)
  ctx.set('Cache-Control', revalidated)
}

function openApi({ publicUrl, version }: DocsOptions) {
  const byUrl = new Map<string, ReturnType<typeof serveFile>>()
  return (ctx: RequestContext) => {
    const serverUrl = publicUrl()
    const document = () => JSON.stringify(openApiDocument({ serverUrl, version }))
    return getOrAdd(byUrl, serverUrl, () => serveFile(page('application/json; charset=utf-8', document())))(
      ctx,
    )
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

/** What needs no script: the OpenAPI document, the page of error codes and the client for PHP. */
export function mountDocs(router: Router<RequestState>, options: DocsOptions): void {
  const serve = (path: string, file: StaticFile) => router.get(path, protect, serveFile(file))
  router.get('/openapi.json', protect, openApi(options))
  router.get('/docs/errors', protect, localized(errorsPage))
  serve('/favicon.ico', { type: 'image/svg+xml', cacheControl: revalidated, read: () => Buffer.from(logo) })
  const servePhp = serveFile(phpClient)
  router.get('/docs/saleproof.php', protect, (ctx) => {
    // Browsers save it in place of showing it.
    ctx.set('Content-Disposition', 'attachment; filename="saleproof.php"')
    return servePhp(ctx)
  })
  serve('/docs/docs.css', page('text/css; charset=utf-8', stylesheet))
  router.get('/docs/', protect, redirect('../docs'))
  router.get('/docs/errors/', protect, redirect('../errors'))
}
