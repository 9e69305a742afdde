import { timingSafeEqual } from 'node:crypto'
import type { PublicAddress } from '../../http/public-address.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleFailure } from '../console-error.ts'

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined)

/**
 * Refuses what a page of another site sends. Browsers say so in `Sec-Fetch-Site`, over plain HTTP only in `Origin`; what says neither is
 * no browser, and has no cookie that it was not given.
 */
export function requireSameSite(ctx: RequestContext, address: PublicAddress) {
  const { 'sec-fetch-site': site, origin, host } = ctx.req.headers
  if (site !== undefined && site !== 'same-origin') throw new ConsoleFailure('cross_site')
  if (origin === undefined) return
  const own = [host, hostOf(address.of(ctx.req))]
  const from = hostOf(origin)
  if (from === undefined || !own.includes(from)) throw new ConsoleFailure('cross_site')
}

const same = (given: string, expected: string) => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Refuses what does not bring the token of its session, which only the console's own pages are told. */
export function requireToken(ctx: RequestContext, expected: string) {
  if (!same(ctx.get('x-csrf-token'), expected)) throw new ConsoleFailure('wrong_csrf_token')
}
