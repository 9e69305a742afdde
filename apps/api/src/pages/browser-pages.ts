import { acceptedLocale } from '../http/locale.ts'
import { protectPlainPage } from '../http/page-policy.ts'
import type { RequestContext, RequestMiddleware } from '../http/state.ts'

/** Shows a page of the console, which says that it does not exist. */
export type ShowMissingPage = (ctx: RequestContext) => Promise<void>

interface BrowserPagesOptions {
  isRoute: (path: string) => boolean
  /** Without it the console is not built. */
  showMissingPage: ShowMissingPage | undefined
}

const texts = {
  en: {
    lead: 'This service proves sales of digital goods by their purchase codes.',
    console: 'Console',
    consoleText: 'Sellers manage keys, items and sales, and find out why a customer’s code fails.',
    reference: 'API reference',
    referenceText: 'Developers read the account and the items, and validate purchase codes.',
    errors: 'Error codes',
    errorsText: 'What each error means, and what to do.',
  },
  pt: {
    lead: 'Este serviço comprova vendas de produtos digitais pelos códigos de compra.',
    console: 'Console',
    consoleText:
      'Vendedores gerenciam chaves, itens e vendas e descobrem por que o código de um cliente falha.',
    reference: 'Referência da API',
    referenceText: 'Desenvolvedores leem a conta e os itens e validam códigos de compra.',
    errors: 'Códigos de erro',
    errorsText: 'O que cada erro significa e o que fazer.',
  },
} as const

/** `base` is the path of the page relative to itself: a proxy may have removed a prefix, with its slash or without. */
function landingPage(locale: keyof typeof texts, base: string): string {
  const text = texts[locale]
  const link = (path: string, name: string, description: string) =>
    `<section><h2 class="link"><a href="${base}${path}">${name}</a></h2><p>${description}</p></section>`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Saleproof</title>
<link rel="icon" type="image/svg+xml" href="${base}favicon.ico">
<link rel="stylesheet" href="${base}docs/docs.css">
</head>
<body>
<main class="page">
<h1 class="brand"><img src="${base}favicon.ico" alt="" width="36" height="36">Saleproof</h1>
<p>${text.lead}</p>
${link('console', text.console, text.consoleText)}
${link('docs', text.reference, text.referenceText)}
${link('docs/errors', text.errors, text.errorsText)}
</main>
</body>
</html>
`
}

async function showLandingPage(ctx: RequestContext) {
  const locale = acceptedLocale(ctx.get('accept-language')) ?? 'en'
  const name = new URL(ctx.originalUrl, 'http://localhost').pathname.split('/').at(-1)
  await protectPlainPage(ctx, async () => {})
  ctx.state.route = '/'
  ctx.set({ 'Cache-Control': 'no-cache', 'Content-Language': locale, Vary: 'Accept, Accept-Language' })
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = landingPage(locale, name ? `${name}/` : '')
}

/** Browsers ask for HTML before anything else; programs that name nothing, or anything, get JSON. */
const wantsPage = (ctx: RequestContext) =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.accepts(['json', 'html']) === 'html'

/** Shows people a page at `/`, and where the console has none; programs get the error of the API. */
export function browserPages({ isRoute, showMissingPage }: BrowserPagesOptions): RequestMiddleware {
  return async function browserPages(ctx, next) {
    if (isRoute(ctx.path) || !wantsPage(ctx)) return next()
    if (ctx.path === '/') return showLandingPage(ctx)
    if (showMissingPage && ctx.path.startsWith('/console/')) return showMissingPage(ctx)
    await next()
  }
}
