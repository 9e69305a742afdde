import type { PublicAddress } from '../../http/public-address.ts'
import type { RequestContext } from '../../http/state.ts'
import { safeEqual } from '../../safe-equal.ts'
import { ConsoleError } from '../console-error.ts'

const readHost = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined)

/**
 * Rejects requests from pages of another site. Browsers send `Sec-Fetch-Site`, and over plain HTTP only `Origin`. A client that sends
 * neither is not a browser, and holds no cookie that a user did not give it.
 */
export function requireSameSite(ctx: RequestContext, address: PublicAddress) {
  const { 'sec-fetch-site': site, origin, host } = ctx.req.headers
  if (site !== undefined && site !== 'same-origin') throw new ConsoleError('cross_site')
  if (origin === undefined) return
  const own = [host, readHost(address.of(ctx.req))]
  const from = readHost(origin)
  if (from === undefined || !own.includes(from)) throw new ConsoleError('cross_site')
}

/** Requires the session's CSRF token, which only the console's own pages can read. */
export function requireToken(ctx: RequestContext, expected: string) {
  if (!safeEqual(ctx.get('x-csrf-token'), expected)) throw new ConsoleError('wrong_csrf_token')
}
