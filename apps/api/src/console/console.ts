import type { Locale, Shape } from '@saleproof/schema'
import type { Logger } from 'pino'
import { createRecorder } from '../audit/append.ts'
import type { ShareExports } from '../cluster/export-semaphore.ts'
import type { Limit } from '../config.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { AccountModel, Prisma } from '../db/sqlite/prisma.ts'
import type { Read } from '../db/sqlite/reader.ts'
import type { Write } from '../db/transaction.ts'
import type { Proxies } from '../http/proxies.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { LimitsOptions } from '../rate-limit/limits.ts'
import type { TrafficStatistics } from '../usage/statistics.ts'
import type { ReadLastUses } from '../usage/usage-store.ts'
import { createCredentials } from './auth/credentials.ts'
import { createDevices } from './auth/device-cookie.ts'
import { createPasswordCheck } from './auth/password-check.ts'
import { createSessionCookie } from './auth/session-cookie.ts'
import { createSessionHandlers } from './auth/session-handlers.ts'
import { createSessions } from './auth/sessions.ts'
import { createAttempts } from './auth/sign-in-limiter.ts'
import { createItemHandlers } from './items.ts'
import { createKeyHandlers } from './keys.ts'
import { createOverviewHandlers } from './overview/overview-handlers.ts'
import { createCheckHandler } from './purchases/check.ts'
import { createPurchaseHandlers } from './purchases/purchases.ts'
import { createConsoleApi } from './router.ts'
import { createWorkspaceHandlers } from './workspaces.ts'

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
