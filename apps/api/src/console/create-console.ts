import type { Locale, Shape } from '@saleproof/schema'
import type { Logger } from 'pino'
import { createRecorder } from '../audit/append.ts'
import type { ShareExports } from '../cluster/export-semaphore.ts'
import type { Limit } from '../config.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { AccountModel, Prisma } from '../db/sqlite/open.ts'
import type { Read } from '../db/sqlite/reader.ts'
import type { Write } from '../db/transaction.ts'
import type { Proxies } from '../http/proxies.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { LimitsOptions } from '../rate-limit/limits.ts'
import type { TrafficStatistics } from '../usage/statistics.ts'
import type { ReadLastUses } from '../usage/usage-store.ts'
import { createCheckHandler } from './check-handler.ts'
import { createConsoleApi } from './console-api.ts'
import { createCredentials } from './credentials.ts'
import { createDevices } from './device-cookie.ts'
import { createItemHandlers } from './item-handlers.ts'
import { createKeyHandlers } from './key-handlers.ts'
import { createOverviewHandlers } from './overview-handlers.ts'
import { createPasswordCheck } from './passwords.ts'
import { createPurchaseHandlers } from './purchase-handlers.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessionHandlers } from './session-handlers.ts'
import { createSessions } from './sessions.ts'
import { createAttempts } from './sign-in-limiter.ts'
import { createWorkspaceHandlers } from './workspace-handlers.ts'

export interface ConsoleOptions {
  prisma: Prisma
  write: Write
  read: Read
  lastUses: ReadLastUses
  vault: KeyVault
  clock: () => Date
  now: () => number
  logger: Logger
  onError: (error: unknown) => void
  publicUrl: string | undefined
  address: PublicAddress
  proxies: Proxies
  budget: LimitsOptions['budget']
  signInLimit: Limit
  readStatistics: TrafficStatistics['read']
  shareExports?: ShareExports | undefined
  service: { version: string; shape: Shape; locale: Locale }
}

/** The console's half of the service, put together. */
export function createConsole(options: ConsoleOptions) {
  const { vault, clock, signInLimit: limit } = options
  const recorderOf = ({ id }: Pick<AccountModel, 'id'>) =>
    createRecorder({ vault, clock, actor: `console:${id}` })
  const cookie = createSessionCookie(options)
  const sessions = createSessions(options)
  const passwords = createPasswordCheck()
  const devices = createDevices(options)
  const credentials = createCredentials({
    ...options,
    passwords,
    devices,
    attempts: createAttempts({ ...options, limit }),
  })
  const shared = { ...options, cookie, sessions, devices, passwords, credentials, recorderOf }
  const keys = createKeyHandlers(shared)
  const handlers = {
    ...createSessionHandlers(shared),
    ...createWorkspaceHandlers(shared),
    ...keys.handlers,
    ...createOverviewHandlers(shared),
    ...createItemHandlers(options),
    ...createPurchaseHandlers(shared),
    ...createCheckHandler({ ...shared, keys }),
  }
  return createConsoleApi({ ...shared, handlers })
}
