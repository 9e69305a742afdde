import type {
  ConsoleEndpointName,
  ConsolePathParameters,
  ConsoleResponses,
  consoleEndpoints,
} from '@saleproof/schema/console'
import type * as v from 'valibot'
import type { Prisma } from '../db/sqlite/prisma.ts'
import type { RequestContext } from '../http/state.ts'
import type { SignedIn } from './auth/sessions.ts'

type Endpoints = typeof consoleEndpoints

export type WorkspaceModel = NonNullable<Awaited<ReturnType<Prisma['workspace']['findUnique']>>>

/** What every handler is given. */
interface AnyCall<Name extends ConsoleEndpointName> {
  ctx: RequestContext
  request: v.InferOutput<Endpoints[Name]['request']>
  parameters: ConsolePathParameters<Name>
}

interface SignedInCall<Name extends ConsoleEndpointName> extends AnyCall<Name> {
  owner: SignedIn
}

/** The workspace is one of the owner's. */
interface WorkspaceCall<Name extends ConsoleEndpointName> extends SignedInCall<Name> {
  workspace: WorkspaceModel
}

export type Call<Name extends ConsoleEndpointName> = Name extends 'signIn'
  ? AnyCall<Name>
  : Endpoints[Name]['path'] extends `${string}:slug${string}`
    ? WorkspaceCall<Name>
    : SignedInCall<Name>

/** What is sent as it is made is put into the context by its handler. */
type Result<Name extends ConsoleEndpointName> = Name extends 'exportPurchases'
  ? undefined
  : ConsoleResponses[Name]

export type Handlers = {
  [Name in ConsoleEndpointName]: (call: Call<Name>) => Promise<Result<Name>>
}
