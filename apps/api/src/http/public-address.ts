import type { IncomingMessage } from 'node:http'
import type { Proxies } from './proxies.ts'
import type { RequestMiddleware } from './state.ts'

/** Where callers reach the service. */
export interface PublicAddress {
  /** The address that a request came to, without a slash at its end. */
  of(request: IncomingMessage): string
  /** The path that the address has beyond the host, such as `/saleproof`, or `''`. */
  prefix: string
}

interface PublicAddressOptions {
  publicUrl: string | undefined
  /** The address listened on. */
  listening: () => string
  proxies: Proxies
}

export function createPublicAddress({ publicUrl, listening, proxies }: PublicAddressOptions): PublicAddress {
  return {
    of: (request) => publicUrl ?? proxies.forwardedOrigin(request) ?? listening(),
    prefix: publicUrl ? new URL(publicUrl).pathname.replace(/\/$/, '') : '',
  }
}

/** Takes the prefix of `PUBLIC_URL` off the path: some proxies pass it on, some do not, and both are right. */
export function publicPrefix(
  { prefix }: PublicAddress,
  isRoute: (path: string) => boolean,
): RequestMiddleware {
  return async function publicPrefix(ctx, next) {
    // A path that is one as it stands was passed on without the prefix, even if it begins like it.
    if (prefix && !isRoute(ctx.path) && (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`))) {
      ctx.path = ctx.path.slice(prefix.length) || '/'
    }
    await next()
  }
}
