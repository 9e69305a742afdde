import { createPasswordResets } from '../../domain/password-resets.ts'
import type { ConsoleOptions } from '../handler.ts'
import { createCookie } from './cookies.ts'
import { createCredentials } from './credentials.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { createPasswordCheck } from './password-check.ts'
import { createSessions } from './sessions.ts'
import { createSignInLimiter } from './sign-in-limiter.ts'

/** How owners prove who they are. */
export function createAuth(options: ConsoleOptions) {
  const passwords = createPasswordCheck(options)
  const deviceCookie = createDeviceCookie(options)
  const limiter = createSignInLimiter(options)
  return {
    passwords,
    deviceCookie,
    limiter,
    /** Holds the session token. */
    cookie: createCookie({ name: 'saleproof_session', path: '', ofHost: true }, options),
    sessions: createSessions(options),
    resets: createPasswordResets({ prisma: options.database.prisma, clock: options.clock }),
    credentials: createCredentials(options, { passwords, deviceCookie, limiter }),
  }
}

export type Auth = ReturnType<typeof createAuth>
