import type { Proxies } from '../http/proxies.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { RequestContext } from '../http/state.ts'

interface SessionCookieOptions {
  publicUrl: string | undefined
  address: PublicAddress
  proxies: Proxies
}

/** Browsers take a cookie with this beginning only over TLS, so that nobody on the way can plant one. */
const securePrefix = '__Secure-'

/** The cookie that holds the token of a session: for the console's own paths, never for a script, never sent by another site's page. */
export function createSessionCookie({ publicUrl, address, proxies }: SessionCookieOptions) {
  const isSecure = (ctx: RequestContext) =>
    publicUrl?.startsWith('https:') === true || proxies.forwardedProtocol(ctx.req) === 'https'
  const nameFor = (secure: boolean) => `${secure ? securePrefix : ''}saleproof_session`

  function set(ctx: RequestContext, value: string, maxAge: number) {
    const secure = isSecure(ctx)
    // The library refuses to set a secure cookie on a connection that is only secure up to the proxy.
    ctx.cookies.secure = secure
    ctx.cookies.set(nameFor(secure), value, {
      httpOnly: true,
      sameSite: 'strict',
      path: `${address.prefix}/console`,
      maxAge,
      secure,
      signed: false,
      overwrite: true,
    })
  }

  return {
    read: (ctx: RequestContext) => ctx.cookies.get(nameFor(isSecure(ctx)), { signed: false }),
    write: (ctx: RequestContext, token: string, endsAt: Date, now: Date) =>
      set(ctx, token, endsAt.getTime() - now.getTime()),
    clear: (ctx: RequestContext) => set(ctx, '', 0),
  }
}

export type SessionCookie = ReturnType<typeof createSessionCookie>
