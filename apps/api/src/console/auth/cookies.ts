import type { RequestContext } from '../../http/state.ts'
import type { ConsoleOptions } from '../handler.ts'

export type CookieOptions = Pick<ConsoleOptions, 'address' | 'proxies'>

/** Browsers accept a cookie with this prefix only over TLS, so that an attacker on the network cannot plant one. */
const securePrefix = '__Secure-'

/** A cookie for a path below `/console`, invisible to scripts and never sent by another site's page. */
export function createCookie(
  { name, path }: { name: string; path: string },
  { address, proxies }: CookieOptions,
) {
  const isSecure = (ctx: RequestContext) =>
    address.of().startsWith('https:') || proxies.forwardedProtocol(ctx.req) === 'https'
  const nameFor = (secure: boolean) => `${secure ? securePrefix : ''}${name}`

  return {
    read: (ctx: RequestContext) => ctx.cookies.get(nameFor(isSecure(ctx)), { signed: false }),

    write(ctx: RequestContext, value: string, maxAgeMs: number) {
      const secure = isSecure(ctx)
      // The library refuses to set a secure cookie where TLS ends at the proxy.
      ctx.cookies.secure = secure
      ctx.cookies.set(nameFor(secure), value, {
        httpOnly: true,
        sameSite: 'strict',
        path: `${address.prefix}/console${path}`,
        maxAge: maxAgeMs,
        secure,
        signed: false,
        overwrite: true,
      })
    },
  }
}

/** The cookie that holds the session token. */
export function createSessionCookie(options: CookieOptions) {
  const cookie = createCookie({ name: 'saleproof_session', path: '' }, options)
  return {
    read: cookie.read,
    write: (ctx: RequestContext, token: string, endsAt: Date, now: Date) =>
      cookie.write(ctx, token, endsAt.getTime() - now.getTime()),
    clear: (ctx: RequestContext) => cookie.write(ctx, '', 0),
  }
}
