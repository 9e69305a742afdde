import type Router from '@koa/router'
import type { Locale } from '@saleproof/schema'
import { ApiError } from '../../http/api-error.ts'
import { acceptedLocale } from '../../http/locale.ts'
import { withPolicy } from '../../http/page-policy.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { text } from '../docs/html.ts'
import { serveFile } from '../docs/static-file.ts'

const kinds = {
  image: (url: string, failed: string) => `<img src="${url}" alt="${failed}">`,
  video: (url: string, failed: string) => `<video src="${url}" controls preload="metadata">${failed}</video>`,
  audio: (url: string, failed: string) => `<audio src="${url}" controls preload="metadata">${failed}</audio>`,
} as const

const texts = {
  en: { title: 'Preview', failed: 'This could not be loaded.' },
  pt: { title: 'Prévia', failed: 'Não foi possível carregar.' },
} as const

const stylesheet = `html, body { height: 100%; margin: 0; }
body { display: grid; place-items: center; background: #171c1a; color: #dfe6e2; font: .875rem system-ui, sans-serif; }
img, video { display: block; max-width: 100%; max-height: 100vh; }
audio { width: min(100% - 2rem, 36rem); }
`

/** A host may send on to another one, as those of a CDN do; `http:` only for an address that says so. */
const schemes = ['https:', 'http:'] as const

function mediaOf({ kind, url }: RequestContext['query']) {
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) throw new ApiError('invalid_parameter')
  if (typeof url !== 'string' || !URL.canParse(url)) throw new ApiError('invalid_parameter')
  const { protocol, href } = new URL(url)
  const scheme = schemes.find((each) => each === protocol)
  if (!scheme) throw new ApiError('invalid_parameter')
  return { kind: kind as keyof typeof kinds, scheme, href }
}

const policyOf = (scheme: string) =>
  withPolicy({
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
    imgSrc: [scheme],
    mediaSrc: [scheme],
    styleSrc: ["'self'"],
    sandbox: [],
  })

function page(locale: Locale, { kind, href }: ReturnType<typeof mediaOf>): string {
  const { title, failed } = texts[locale]
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="preview.css"></head>
<body>${kinds[kind](text(href), failed)}</body>
</html>
`
}

/** Only the media: whoever follows a link to here sees nothing that could pass for the service. */
const embedded = (ctx: RequestContext) => ['', 'iframe'].includes(ctx.get('sec-fetch-dest'))

/**
 * One picture, video or sound of an item. Sellers choose these addresses, so that they may be at any host: the policy of the console
 * allows none, and this page, which runs no script and may do nothing, allows that of the one address that it was asked to show.
 */
export function mountPreview(router: Router<RequestState>): void {
  const policies = { 'https:': policyOf('https:'), 'http:': policyOf('http:') }
  const handle = async (ctx: RequestContext) => {
    if (!embedded(ctx)) throw new ApiError('route_not_found')
    const media = mediaOf(ctx.query)
    await policies[media.scheme](ctx, async () => {})
    const locale = acceptedLocale(ctx.get('accept-language')) ?? 'en'
    ctx.set({ 'Cache-Control': 'no-store', 'Content-Language': locale })
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = page(locale, media)
  }
  const style = serveFile({
    type: 'text/css; charset=utf-8',
    cacheControl: 'no-cache',
    read: () => Buffer.from(stylesheet),
  })
  router.get('/console/preview.css', style)
  router.get('/console/preview', handle)
}
