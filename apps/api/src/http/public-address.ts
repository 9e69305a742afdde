import type { IncomingMessage } from 'node:http'
import type { Proxies } from './proxies.ts'
import type { RequestMiddleware } from './state.ts'

interface PublicAddressOptions {
  publicUrl: string | undefined
  /** The address listened on. */
  listening: () => string
  proxies: Proxies
}

/** Where clients reach the service. */
export function createPublicAddress({ publicUrl, listening, proxies }: PublicAddressOptions) {
  return {
    /** The address that a request came to, without a slash at its end; without a request, the one that is configured or listened on. */
    of: (request?: IncomingMessage): string =>
      publicUrl ?? (request && proxies.forwardedOrigin(request)) ?? listening(),
    /** The path of the address, such as `/saleproof`, or `''`. */
    prefix: publicUrl ? new URL(publicUrl).pathname.replace(/\/$/, '') : '',
  }
}

export type PublicAddress = ReturnType<typeof createPublicAddress>

/** Removes the prefix of `PUBLIC_URL` from the path, since some proxies pass it on and some do not. */
export function publicPrefix(
  { prefix }: PublicAddress,
  isRoute: (path: string) => boolean,
): RequestMiddleware {
  return async function publicPrefix(ctx, next) {
    // A path that is a route as it stands came without the prefix, even if it begins like it.
    if (prefix && !isRoute(ctx.path) && (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`))) {
      ctx.path = ctx.path.slice(prefix.length) || '/'
    }
    await next()
  }
}
