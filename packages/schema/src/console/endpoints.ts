import * as v from 'valibot'
import {
  ChangePasswordSchema,
  type ConsoleAccount,
  type ConsoleSession,
  SignInSchema,
  UpdateAccountSchema,
} from './account.ts'
import { CheckSchema, type ConsoleCheck } from './check.ts'
import { type ConsoleItemDetail, type ConsoleItems, ListItemsSchema } from './items.ts'
import {
  type ConsoleKey,
  type ConsoleKeys,
  type CreatedKey,
  CreateKeySchema,
  type RevealedKey,
  ShowKeySchema,
} from './keys.ts'
import { type ConsoleOverview, OverviewSchema } from './overview.ts'
import {
  type ConsolePurchase,
  type ConsolePurchaseDetail,
  type ConsolePurchases,
  ExportPurchasesSchema,
  PurchaseDetailSchema,
  SearchPurchasesSchema,
  SetPurchaseStateSchema,
} from './purchases.ts'
import { type ConsoleWorkspace, CreateWorkspaceSchema, UpdateWorkspaceSchema } from './workspaces.ts'

/** An endpoint of the console, as data. */
export interface ConsoleEndpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/console/api`; `:slug` is of a workspace, `:id` of a key or an item. */
  path: string
  /** What the query of a `GET`, or the body of any other, may hold. */
  request: v.GenericSchema
}

/** The query or body of a request that takes none. */
const NothingSchema = v.strictObject({})

const workspace = '/workspaces/:slug' as const

/** The endpoints of the console: routes, client and tests are made from this. */
export const consoleEndpoints = {
  getSession: { method: 'GET', path: '/session', request: NothingSchema },
  signIn: { method: 'POST', path: '/session', request: SignInSchema },
  signOut: { method: 'DELETE', path: '/session', request: NothingSchema },
  changePassword: { method: 'POST', path: '/password', request: ChangePasswordSchema },
  getAccount: { method: 'GET', path: '/account', request: NothingSchema },
  updateAccount: { method: 'PATCH', path: '/account', request: UpdateAccountSchema },
  createWorkspace: { method: 'POST', path: '/workspaces', request: CreateWorkspaceSchema },
  getWorkspace: { method: 'GET', path: workspace, request: NothingSchema },
  updateWorkspace: { method: 'PATCH', path: workspace, request: UpdateWorkspaceSchema },
  listKeys: { method: 'GET', path: `${workspace}/keys`, request: NothingSchema },
  createKey: { method: 'POST', path: `${workspace}/keys`, request: CreateKeySchema },
  showKey: { method: 'POST', path: `${workspace}/keys/:id/show`, request: ShowKeySchema },
  revokeKey: { method: 'POST', path: `${workspace}/keys/:id/revoke`, request: NothingSchema },
  listItems: { method: 'GET', path: `${workspace}/items`, request: ListItemsSchema },
  getItem: { method: 'GET', path: `${workspace}/items/:id`, request: NothingSchema },
  searchPurchases: { method: 'POST', path: `${workspace}/purchases/search`, request: SearchPurchasesSchema },
  getPurchase: { method: 'POST', path: `${workspace}/purchases/detail`, request: PurchaseDetailSchema },
  setPurchaseState: { method: 'POST', path: `${workspace}/purchases/state`, request: SetPurchaseStateSchema },
  exportPurchases: { method: 'POST', path: `${workspace}/purchases/export`, request: ExportPurchasesSchema },
  check: { method: 'POST', path: `${workspace}/check`, request: CheckSchema },
  getOverview: { method: 'GET', path: `${workspace}/overview`, request: OverviewSchema },
} as const satisfies Record<string, ConsoleEndpoint>

/** The name of an endpoint of the console. */
export type ConsoleEndpointName = keyof typeof consoleEndpoints

/** What each endpoint takes: members of the query of a `GET`, of the JSON body of any other. */
export type ConsoleRequests = {
  [Name in ConsoleEndpointName]: v.InferInput<(typeof consoleEndpoints)[Name]['request']>
}

/** What each endpoint answers with a success. `undefined` is a 204 without a body, a `Blob` a file. */
export interface ConsoleResponses {
  getSession: ConsoleSession
  signIn: ConsoleSession
  signOut: undefined
  changePassword: undefined
  getAccount: ConsoleAccount
  updateAccount: ConsoleAccount
  createWorkspace: ConsoleWorkspace
  getWorkspace: ConsoleWorkspace
  updateWorkspace: ConsoleWorkspace
  listKeys: ConsoleKeys
  createKey: CreatedKey
  showKey: RevealedKey
  revokeKey: ConsoleKey
  listItems: ConsoleItems
  getItem: ConsoleItemDetail
  searchPurchases: ConsolePurchases
  getPurchase: ConsolePurchaseDetail
  setPurchaseState: ConsolePurchase
  exportPurchases: Blob
  check: ConsoleCheck
  getOverview: ConsoleOverview
}

/** The names of the parameters in a path. */
type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What fills the parameters in the path of an endpoint. */
export type ConsolePathParameters<Name extends ConsoleEndpointName> = Record<
  ParametersOf<(typeof consoleEndpoints)[Name]['path']>,
  string
>

/**
 * The path of an endpoint below `/console/api`.
 *
 * @example
 * consolePath('showKey', { slug: 'ada-studio', id: 'k1' }) // '/workspaces/ada-studio/keys/k1/show'
 */
export function consolePath<Name extends ConsoleEndpointName>(
  name: Name,
  parameters: ConsolePathParameters<Name>,
): string {
  const values: Record<string, string> = parameters
  return consoleEndpoints[name].path.replace(/:(\w+)/g, (_, parameter: string) =>
    encodeURIComponent(values[parameter] ?? ''),
  )
}
