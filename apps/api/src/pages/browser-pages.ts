import type { RequestContext, RequestMiddleware } from '../http/state.ts'

/** Shows a page of the console, which says that it does not exist. */
export type ShowMissingPage = (ctx: RequestContext) => Promise<void>

interface BrowserPagesOptions {
  isRoute: (path: string) => boolean
  /** Without it the console is not built. */
  showMissingPage: ShowMissingPage | undefined
}

/** Browsers ask for HTML before anything else; programs that name nothing, or anything, get JSON. */
const wantsPage = (ctx: RequestContext) =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.accepts(['json', 'html']) === 'html'

/** Relative to the address that the browser knows: a proxy may have removed a prefix, with its slash or without. */
function redirectToDocs(ctx: RequestContext) {
  const name = new URL(ctx.originalUrl, 'http://localhost').pathname.split('/').at(-1)
  ctx.state.route = '/'
  ctx.status = 302
  ctx.set({ Location: name ? `${name}/docs` : 'docs', 'Cache-Control': 'no-cache', Vary: 'Accept' })
}

/** Leads people from `/` to the API reference, and shows them a page where the console has none; programs get the error of the API. */
export function browserPages({ isRoute, showMissingPage }: BrowserPagesOptions): RequestMiddleware {
  return async function browserPages(ctx, next) {
    if (!showMissingPage || isRoute(ctx.path) || !wantsPage(ctx)) return next()
    if (ctx.path === '/') return redirectToDocs(ctx)
    if (ctx.path.startsWith('/console/')) return showMissingPage(ctx)
    await next()
  }
}
