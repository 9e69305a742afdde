import type { Locale, Shape } from '@saleproof/schema'
import type {
  ConsoleEndpointName,
  ConsolePathParameters,
  ConsoleResponses,
  consoleEndpoints,
} from '@saleproof/schema/console'
import type { Logger } from 'pino'
import type * as v from 'valibot'
import type { Limit } from '../config.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Database } from '../db/database.ts'
import type { WorkspaceModel } from '../db/prisma.ts'
import type { Recorder } from '../domain/audit-log.ts'
import type { ImportRequest, ImportResult } from '../domain/imports.ts'
import type { Proxies } from '../http/proxies.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { RequestContext } from '../http/state.ts'
import type { LimitsOptions } from '../rate-limit/limits.ts'
import type { Usage } from '../usage/usage.ts'
import type { Auth } from './auth/auth.ts'
import type { SignedIn } from './auth/sessions.ts'

/** What the console imports. */
export interface ConsoleImportTask
  extends Pick<
    ImportRequest,
    'source' | 'actor' | 'manual' | 'own' | 'sales' | 'preview' | 'dryRun' | 'maxErrors' | 'locale'
  > {
  signal: AbortSignal
}

/** What the service gives the console. */
export interface ConsoleOptions {
  database: Database
  vault: KeyVault
  usage: Omit<Usage, 'observe' | 'close'>
  clock: () => Date
  logger: Logger
  /** Receives each database error that made a request fail. */
  onError: (error: unknown) => void
  address: PublicAddress
  proxies: Proxies
  signIns: { limit: Limit; budget: LimitsOptions['budget'] }
  /** Imports records in a worker. An abort stops it, and nothing is stored. */
  importRecords: (task: ConsoleImportTask) => Promise<ImportResult>
  service: { version: string; shape: Shape; locale: Locale }
}

/** What the handlers of the endpoints are made with. */
export interface HandlerOptions extends ConsoleOptions {
  auth: Auth
}

type Endpoints = typeof consoleEndpoints

interface AnyCall<Name extends ConsoleEndpointName> {
  ctx: RequestContext
  request: v.InferOutput<Endpoints[Name]['request']>
  parameters: ConsolePathParameters<Name>
}

interface SignedInCall<Name extends ConsoleEndpointName> extends AnyCall<Name> {
  owner: SignedIn
  /** Records what the owner does in the activity log. */
  record: Recorder
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
type Result<Name extends ConsoleEndpointName> = ConsoleResponses[Name] extends Blob
  ? undefined
  : ConsoleResponses[Name]

/** A handler for each endpoint. */
export type Handlers = {
  [Name in ConsoleEndpointName]: (call: Call<Name>) => Promise<Result<Name>>
}
