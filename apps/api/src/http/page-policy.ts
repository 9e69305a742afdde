import type { Next } from 'koa'
import helmet from 'koa-helmet'
import type { RequestContext } from './state.ts'

/** What no page here needs; copying a key is the one thing that remains. */
const unused =
  `accelerometer autoplay camera display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid idle-detection
  local-fonts magnetometer microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock serial usb
  xr-spatial-tracking`.split(/\s+/)

const permissionsPolicy = [
  ...unused.map((feature) => `${feature}=()`),
  'clipboard-write=(self)',
  'clipboard-read=(self)',
].join(', ')

/**
 * The headers of a page, with a policy for what it may load. Over plain HTTP the service must stay reachable: nothing is upgraded, and
 * HSTS is for the proxy that ends TLS to send. What browsers ignore over plain HTTP, and complain about, is left out.
 */
export function withPolicy(directives: Record<string, string[]>) {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xFrameOptions: { action: directives.frameAncestors?.includes("'self'") ? 'sameorigin' : 'deny' },
  })
  return async function withPolicy(ctx: RequestContext, next: Next) {
    ctx.set('Permissions-Policy', permissionsPolicy)
    await protect(ctx, next)
  }
}

/** For pages that load a stylesheet and an icon of this host, and run no scripts. */
export const protectPlainPage = withPolicy({
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'"],
  styleSrc: ["'self'"],
})
