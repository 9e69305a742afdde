import type { RequestContext } from '../../http/state.ts'
import { type CookieOptions, createCookie } from './cookie.ts'

/** The cookie that holds the token of a session. */
export function createSessionCookie(options: CookieOptions) {
  const cookie = createCookie({ name: 'saleproof_session', path: '' }, options)
  return {
    read: cookie.read,
    write: (ctx: RequestContext, token: string, endsAt: Date, now: Date) =>
      cookie.write(ctx, token, endsAt.getTime() - now.getTime()),
    clear: (ctx: RequestContext) => cookie.write(ctx, '', 0),
  }
}

export type SessionCookie = ReturnType<typeof createSessionCookie>
