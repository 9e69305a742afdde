import { readFileSync } from 'node:fs'
import type Router from '@koa/router'
import { type Locale, locales } from '@saleproof/schema'
import { openApiDocument } from '@saleproof/schema/openapi'
import { getOrAdd } from '../../get-or-add.ts'
import { acceptedLocale } from '../../http/locale.ts'
import { protectPlainPage as protect } from '../../http/page-policy.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { packageRoot } from '../../package.ts'
import { errorsPage } from './errors-page.ts'
import { serveFile, serveText } from './static-file.ts'
import { stylesheet } from './stylesheet.ts'

interface DocsOptions {
  /** The public address with its path prefix. A function, because a free port is known only after listening. */
  publicUrl: () => string
  version: string
}

/** The icon of every page that is not the console's. Browsers ask for `/favicon.ico` unasked, and take this for it. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 28 28">
  <title>Saleproof</title>
  <path fill="#0b6b52" d="M6 3h20a3 3 0 0 1 3 3v7.2a2.9 2.9 0 0 0 0 5.6V26a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-7.2a2.9 2.9 0 0 0 0-5.6V6a3 3 0 0 1 3-3Z"/>
  <path fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round" d="m10.5 16.4 3.9 3.9 7.3-8.3"/>
</svg>
`

const fromSource = import.meta.url.endsWith('.ts')

/** The client for plugins in PHP. The build contains a copy. */
const phpClient = serveFile({
  type: 'text/plain; charset=utf-8',
  read: () =>
    readFileSync(new URL(fromSource ? '../../clients/php/saleproof.php' : 'dist/saleproof.php', packageRoot)),
})

/** Relative to the address that the browser knows, whatever prefix a proxy removed. */
const redirect = (location: string) => (ctx: RequestContext) => {
  ctx.status = 308
  ctx.set('Location', location)
  ctx.set('Cache-Control', 'no-cache')
}

function openApi({ publicUrl, version }: DocsOptions) {
  const byUrl = new Map<string, ReturnType<typeof serveText>>()
  const documentAt = (serverUrl: string) =>
    serveText('application/json', JSON.stringify(openApiDocument({ serverUrl, version })))
  return (ctx: RequestContext) => {
    const serverUrl = publicUrl()
    getOrAdd(byUrl, serverUrl, () => documentAt(serverUrl))(ctx)
  }
}

/** A page in the language that the browser prefers. */
function localized(render: (locale: Locale) => string) {
  const pages = new Map(locales.map((locale) => [locale, serveText('text/html', render(locale))]))
  return (ctx: RequestContext) => {
    const locale = acceptedLocale(ctx.get('accept-language')) ?? 'en'
    pages.get(locale)?.(ctx)
    ctx.set('Content-Language', locale)
    ctx.vary('Accept-Language')
  }
}

/** What needs no script: the OpenAPI document, the page of error codes and the client for PHP. */
export function mountDocs(router: Router<RequestState>, options: DocsOptions): void {
  router.get('/openapi.json', protect, openApi(options))
  router.get('/docs/errors', protect, localized(errorsPage))
  router.get('/favicon.ico', protect, serveFile({ type: 'image/svg+xml', read: () => Buffer.from(logo) }))
  router.get('/docs/saleproof.php', protect, (ctx) => {
    // Browsers save it in place of showing it.
    ctx.set('Content-Disposition', 'attachment; filename="saleproof.php"')
    phpClient(ctx)
  })
  router.get('/docs/docs.css', protect, serveText('text/css', stylesheet))
  router.get('/docs/', protect, redirect('../docs'))
  router.get('/docs/errors/', protect, redirect('../errors'))
}
