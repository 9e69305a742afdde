import type { Locale, Shape } from '@saleproof/schema'
import type {
  ConsoleEndpointName,
  ConsolePathParameters,
  ConsoleResponses,
  consoleEndpoints,
} from '@saleproof/schema/console'
import type { Logger } from 'pino'
import type * as v from 'valibot'
import type { Recorder } from '../audit/append.ts'
import type { Limit } from '../config.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Database, Read, Transact } from '../db/database.ts'
import type { AccountModel, Prisma, Write } from '../db/prisma.ts'
import type { PasswordResets } from '../domain/password-resets.ts'
import type { Proxies } from '../http/proxies.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { RequestContext } from '../http/state.ts'
import type { ImportResult, ImportTask } from '../import-export/import.ts'
import type { ShareExports } from '../rate-limit/export-semaphore.ts'
import type { LimitsOptions } from '../rate-limit/limits.ts'
import type { UsageStatistics } from '../usage/statistics.ts'
import type { Usage } from '../usage/usage.ts'
import type { ReadAddressCounts, ReadLastUses } from '../usage/usage-store.ts'
import type { SessionCookie } from './auth/cookies.ts'
import type { Credentials } from './auth/credentials.ts'
import type { DeviceCookie } from './auth/device-cookie.ts'
import type { PasswordCheck } from './auth/password-check.ts'
import type { Sessions, SignedIn } from './auth/sessions.ts'
import type { SignInLimiter } from './auth/sign-in-limiter.ts'

/** What the console imports. */
export interface ConsoleImportTask
  extends Pick<ImportTask, 'source' | 'actor' | 'manual' | 'own' | 'dryRun' | 'maxErrors' | 'locale'> {
  signal: AbortSignal
}

/** What the service gives the console. */
export interface ConsoleOptions {
  prisma: Prisma
  write: Write
  erasing: Database['erasing']
  read: Read
  transact: Transact
  lastUses: ReadLastUses
  addressCounts: ReadAddressCounts
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
  readStatistics: UsageStatistics['read']
  readPurchaseUse: Usage['readPurchaseUse']
  readFailedCodes: Usage['readFailedCodes']
  forgetPurchase: Usage['forgetPurchase']
  shareExports?: ShareExports | undefined
  /** Imports records in a worker. An abort stops it, and nothing is stored. */
  importRecords: (task: ConsoleImportTask) => Promise<ImportResult>
  service: { version: string; shape: Shape; locale: Locale }
}

/** What the handlers of the endpoints are made with. */
export interface HandlerOptions extends ConsoleOptions {
  cookie: SessionCookie
  sessions: Sessions
  deviceCookie: DeviceCookie
  passwords: PasswordCheck
  credentials: Credentials
  limiter: SignInLimiter
  resets: PasswordResets
  /** Records an owner's actions in the audit log. */
  recorderOf: (account: Pick<AccountModel, 'id'>) => Recorder
}

type Endpoints = typeof consoleEndpoints

export type WorkspaceModel = NonNullable<Awaited<ReturnType<Prisma['workspace']['findUnique']>>>

interface AnyCall<Name extends ConsoleEndpointName> {
  ctx: RequestContext
  request: v.InferOutput<Endpoints[Name]['request']>
  parameters: ConsolePathParameters<Name>
}

interface SignedInCall<Name extends ConsoleEndpointName> extends AnyCall<Name> {
  owner: SignedIn
}

interface WorkspaceCall<Name extends ConsoleEndpointName> extends SignedInCall<Name> {
  /** Belongs to the owner. */
  workspace: WorkspaceModel
}

export type Call<Name extends ConsoleEndpointName> = Endpoints[Name] extends { public: true }
  ? AnyCall<Name>
  : Endpoints[Name]['path'] extends `${string}:slug${string}`
    ? WorkspaceCall<Name>
    : SignedInCall<Name>

/** A handler that streams its response puts it into the context itself. */
type Result<Name extends ConsoleEndpointName> = Name extends 'exportPurchases'
  ? undefined
  : ConsoleResponses[Name]

export type Handlers = {
  [Name in ConsoleEndpointName]: (call: Call<Name>) => Promise<Result<Name>>
}
