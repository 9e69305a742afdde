import type { RequestContext } from '../../http/state.ts'
import { ConsoleError } from '../console-error.ts'
import type { ConsoleOptions } from '../handler.ts'

export type CookieOptions = Pick<ConsoleOptions, 'address' | 'proxies'>

interface CookieDefinition {
  name: string
  /** Below `/console`. */
  path: string
  /** Whether it is sent to every path, where another host of the same domain could plant one of its name otherwise. */
  ofHost?: boolean
}

/** Whether the header holds several cookies of one name: a browser does not say which of them is ours. */
const isAmbiguous = (ctx: RequestContext, name: string) =>
  ctx
    .get('cookie')
    .split(';')
    .filter((pair) => pair.trim().startsWith(`${name}=`)).length > 1

/** A cookie that is invisible to scripts and never sent by another site's page. */
export function createCookie(
  { name, path, ofHost = false }: CookieDefinition,
  { address, proxies }: CookieOptions,
) {
  const isSecure = (ctx: RequestContext) =>
    address.of().startsWith('https:') || proxies.forwardedProtocol(ctx.req) === 'https'

  /** Browsers accept a cookie whose name begins with `__Secure-` over TLS alone, and one with `__Host-` only from this host and for `/`. */
  function attributes(ctx: RequestContext) {
    const secure = isSecure(ctx)
    if (secure && ofHost && address.prefix === '') return { name: `__Host-${name}`, path: '/', secure }
    return { name: secure ? `__Secure-${name}` : name, path: `${address.prefix}/console${path}`, secure }
  }

  return {
    read(ctx: RequestContext): string | undefined {
      const { name, secure } = attributes(ctx)
      if (secure && isAmbiguous(ctx, name)) {
        // Another host has planted one for the whole domain, at a path that is not known here.
        ctx.set('Clear-Site-Data', '"cookies"')
        throw new ConsoleError('not_signed_in')
      }
      return ctx.cookies.get(name, { signed: false })
    },

    write(ctx: RequestContext, value: string, maxAgeMs: number) {
      const { name, path, secure } = attributes(ctx)
      // The library refuses to set a secure cookie where TLS ends at the proxy.
      ctx.cookies.secure = secure
      ctx.cookies.set(name, value, {
        httpOnly: true,
        sameSite: 'strict',
        path,
        maxAge: maxAgeMs,
        secure,
        signed: false,
        overwrite: true,
      })
    },
  }
}
