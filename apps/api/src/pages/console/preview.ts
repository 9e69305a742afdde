import type Router from '@koa/router'
import { ApiError } from '../../http/api-error.ts'
import { withPolicy } from '../../http/page-policy.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { text } from '../docs/html.ts'
import { serveText } from '../docs/static-file.ts'

const kinds = {
  image: (url: string) => `<img src="${url}" alt="${url}">`,
  video: (url: string) => `<video src="${url}" controls preload="metadata"></video>`,
  audio: (url: string) => `<audio src="${url}" controls preload="metadata"></audio>`,
} as const

const kindNames = ['image', 'video', 'audio'] as const

/**
 * An image that fails to load is drawn as an icon and its address: only then do browsers give `img` the two parts. The icon is painted with
 * gradients, because the policy allows no image but that of the item.
 */
const stylesheet = `html, body { height: 100%; margin: 0; }
body { display: grid; place-items: center; background: #171c1a; color: #dfe6e2; font: .875rem/1.5 system-ui, sans-serif; }
img, video { display: block; max-width: 100%; max-height: 100vh; }
audio { width: min(100% - 2rem, 36rem); }
img::before { content: ""; position: absolute; inset: 0; background:
  conic-gradient(from 135deg at 50% 0, #dfe6e2 90deg, #0000 0) center calc(50% - 1.4rem) / 1.5rem .75rem no-repeat,
  radial-gradient(circle, #dfe6e2 0 .15rem, #0000 .2rem) calc(50% - .55rem) calc(50% - 2.1rem) / .5rem .5rem no-repeat,
  linear-gradient(#171c1a, #171c1a) center calc(50% - 1.75rem) / 2.25rem 1.75rem no-repeat,
  linear-gradient(#dfe6e2, #dfe6e2) center calc(50% - 1.75rem) / 2.5rem 2rem no-repeat,
  #171c1a; }
img::after { content: attr(alt); position: absolute; inset: 50% 1rem auto; text-align: center; overflow-wrap: anywhere; }
`

/** Schemes, because a host such as a CDN may redirect to another one. */
const schemes = ['https:', 'http:']

function readMedia({ kind, url }: RequestContext['query']) {
  const known = kindNames.find((each) => each === kind)
  if (!known) throw new ApiError('invalid_parameter')
  if (typeof url !== 'string' || !URL.canParse(url)) throw new ApiError('invalid_parameter')
  const { protocol, href } = new URL(url)
  if (!schemes.includes(protocol)) throw new ApiError('invalid_parameter')
  return { kind: known, href }
}

const protect = withPolicy({
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'self'"],
  imgSrc: schemes,
  mediaSrc: schemes,
  styleSrc: ["'self'"],
  sandbox: [],
})

function page({ kind, href }: ReturnType<typeof readMedia>): string {
  const url = text(href)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${url}</title><link rel="stylesheet" href="preview.css"></head>
<body>${kinds[kind](url)}</body>
</html>
`
}

/** A link to this page must not show anything that could pass for the service. */
const isEmbedded = (ctx: RequestContext) => ['', 'iframe'].includes(ctx.get('sec-fetch-dest'))

/**
 * Shows an image, video or audio file of an item. Sellers choose these addresses, on any host. The console's policy allows no other host,
 * so this page, which runs no scripts, allows them.
 */
export function mountPreview(router: Router<RequestState>): void {
  const handle = async (ctx: RequestContext) => {
    if (!isEmbedded(ctx)) throw new ApiError('route_not_found')
    const media = readMedia(ctx.query)
    await protect(ctx, async () => {})
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = page(media)
  }
  router.get('/console/preview.css', serveText('text/css', stylesheet))
  router.get('/console/preview', handle)
}
