import { createActivityHandler } from './activity.ts'
import { createAuth } from './auth/auth.ts'
import { createAuthHandlers } from './auth/auth-handlers.ts'
import type { ConsoleOptions } from './handler.ts'
import { createImportHandler } from './import.ts'
import { createItemHandlers } from './items.ts'
import { createKeyHandlers } from './keys.ts'
import { createOverviewHandlers } from './overview/overview-handlers.ts'
import { createProfileHandlers } from './profile.ts'
import { createCheckHandler } from './purchases/check.ts'
import { createPurchaseHandlers } from './purchases/purchases.ts'
import { createConsoleRouter } from './router.ts'
import { createSigningKeyHandlers } from './signing-keys.ts'

/** The console's server side. An endpoint without a handler does not compile. */
export function createConsole(options: ConsoleOptions) {
  const shared = { ...options, auth: createAuth(options) }
  return createConsoleRouter(shared, {
    ...createAuthHandlers(shared),
    ...createProfileHandlers(shared),
    ...createKeyHandlers(shared),
    ...createSigningKeyHandlers(shared),
    ...createItemHandlers(shared),
    ...createPurchaseHandlers(shared),
    ...createCheckHandler(shared),
    ...createOverviewHandlers(shared),
    ...createActivityHandler(shared),
    ...createImportHandler(shared),
  })
}
