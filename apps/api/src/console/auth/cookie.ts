import type { Proxies } from '../../http/proxies.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import type { RequestContext } from '../../http/state.ts'

export interface CookieOptions {
  publicUrl: string | undefined
  address: PublicAddress
  proxies: Proxies
}

/** Browsers take a cookie with this beginning only over TLS, so that nobody on the way can plant one. */
const securePrefix = '__Secure-'

/** A cookie of the console: for a path of its own below `/console`, never for a script, never sent by another site's page. */
export function createCookie(
  { name, path }: { name: string; path: string },
  { publicUrl, address, proxies }: CookieOptions,
) {
  const isSecure = (ctx: RequestContext) =>
    publicUrl?.startsWith('https:') === true || proxies.forwardedProtocol(ctx.req) === 'https'
  const nameFor = (secure: boolean) => `${secure ? securePrefix : ''}${name}`

  return {
    read: (ctx: RequestContext) => ctx.cookies.get(nameFor(isSecure(ctx)), { signed: false }),

    /** `maxAge` is in milliseconds. */
    write(ctx: RequestContext, value: string, maxAge: number) {
      const secure = isSecure(ctx)
      // The library refuses to set a secure cookie on a connection that is only secure up to the proxy.
      ctx.cookies.secure = secure
      ctx.cookies.set(nameFor(secure), value, {
        httpOnly: true,
        sameSite: 'strict',
        path: `${address.prefix}/console${path}`,
        maxAge,
        secure,
        signed: false,
        overwrite: true,
      })
    },
  }
}
