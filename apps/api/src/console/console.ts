import { createRecorder } from '../audit/append.ts'
import { createPasswordResets } from '../domain/password-resets.ts'
import { createActivityHandler } from './activity.ts'
import { createSessionCookie } from './auth/cookies.ts'
import { createCredentials } from './auth/credentials.ts'
import { createDeviceCookie } from './auth/device-cookie.ts'
import { createPasswordCheck } from './auth/password-check.ts'
import { createPasswordHandlers } from './auth/password-handlers.ts'
import { createSessionHandlers } from './auth/session-handlers.ts'
import { createSessions } from './auth/sessions.ts'
import { createSignInLimiter } from './auth/sign-in-limiter.ts'
import type { ConsoleOptions, HandlerOptions } from './handler.ts'
import { createImportHandler } from './import.ts'
import { createItemHandlers } from './items.ts'
import { createKeyHandlers, createKeyLookup } from './keys.ts'
import { createFailedCodesHandler } from './overview/failed-codes.ts'
import { createOverviewHandlers } from './overview/overview-handlers.ts'
import { createProfileHandlers } from './profile.ts'
import { createCheckHandler } from './purchases/check.ts'
import { createPurchaseHandlers } from './purchases/purchases.ts'
import { createConsoleRouter } from './router.ts'

/** The console's server side: every endpoint of `consoleEndpoints` gets its handler here. */
export function createConsole(options: ConsoleOptions) {
  const { clock } = options
  const passwords = createPasswordCheck(options)
  const deviceCookie = createDeviceCookie(options)
  const limiter = createSignInLimiter(options)
  const shared: HandlerOptions = {
    ...options,
    passwords,
    deviceCookie,
    cookie: createSessionCookie(options),
    sessions: createSessions(options),
    resets: createPasswordResets(options),
    limiter,
    credentials: createCredentials({ ...options, passwords, deviceCookie, limiter }),
    recorderOf: ({ id }) => createRecorder({ clock, actor: `console:${id}` }),
  }
  const findKey = createKeyLookup(options)
  const handlers = {
    ...createSessionHandlers(shared),
    ...createPasswordHandlers(shared),
    ...createProfileHandlers(shared),
    ...createKeyHandlers({ ...shared, findKey }),
    ...createItemHandlers(shared),
    ...createPurchaseHandlers(shared),
    ...createCheckHandler({ ...shared, findKey }),
    ...createOverviewHandlers(shared),
    ...createActivityHandler(shared),
    ...createFailedCodesHandler(shared),
    ...createImportHandler(shared),
  }
  return createConsoleRouter({ ...shared, handlers })
}
