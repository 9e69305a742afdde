// The entry `@saleproof/schema/console/constants`: the words of the console's own endpoints, without Valibot, for its pages.

export {
  type ConsoleErrorCode,
  type ConsoleFieldCode,
  consoleErrorCodes,
  consoleErrors,
  consoleFieldCodes,
} from './errors.ts'

/** The kinds of keys: a publishable one validates only. */
export const keyKinds = ['secret', 'publishable'] as const

/** The kind of a key: `secret` or `publishable`. */
export type KeyKind = (typeof keyKinds)[number]

/** What a key is good for now: `live` works, `expired` and `revoked` are refused. */
export const keyStates = ['live', 'expired', 'revoked'] as const

/** The state of a key: `live`, `expired` or `revoked`. */
export type KeyState = (typeof keyStates)[number]

/** What items can be sorted by; `-` turns the order round. */
export const itemSorts = ['-published_at', 'published_at', 'name', '-name', 'id', '-id'] as const

/** What items are sorted by. */
export type ItemSort = (typeof itemSorts)[number]

/** How far back an overview goes. */
export const overviewPeriods = ['24h', '7d', '30d', '90d'] as const

/** How far back an overview goes. */
export type OverviewPeriod = (typeof overviewPeriods)[number]

/** How a validation ended. */
export const validationOutcomes = [
  /** A purchase was given. */
  'valid',
  /** No purchase that the key may see has the code. */
  'not_found',
  /** The purchase was refunded or revoked. */
  'not_active',
  /** The request itself was refused: its parameters, its body, its key. */
  'refused',
  /** There were too many. */
  'limited',
  /** The service could not tell. */
  'failed',
] as const

/** How a validation ended. */
export type ValidationOutcome = (typeof validationOutcomes)[number]

/** The formats of an export. */
export const exportFormats = ['csv', 'ndjson'] as const

/** A format of an export. */
export type ExportFormat = (typeof exportFormats)[number]

/** Why the API answers what it answers to a code; what the API itself keeps to itself is told apart here. */
export const checkReasons = [
  /** It is valid as it was pasted. */
  'valid',
  /** It is valid once white space, other dashes and invisible characters are cleaned off, which the API does. */
  'valid_as_paste',
  /** The purchase was refunded, or revoked. */
  'refunded',
  'revoked',
  /** The purchase is of an item that this publishable key is not bound to. */
  'other_item',
  /** The code is of a purchase in another workspace of this account: `other_workspace`. */
  'other_workspace',
  /** There is one with other capital letters: `purchase`. */
  'other_case',
  /** There is exactly one that begins with this: it was not copied to its end. */
  'cut_off',
  /** Nothing has this code, and it is shorter than any code should be. */
  'too_short',
  /** Nothing has this code. */
  'not_found',
  /** Nothing but white space was pasted. */
  'empty',
  /** It has more than 255 characters. */
  'too_long',
  /** It holds characters that no code has: U+0000, or half of a pair. */
  'malformed',
  /** The key that was chosen is refused, whatever the code is. */
  'key_expired',
  'key_revoked',
] as const

/** Why the API answers what it answers to a code. */
export type CheckReason = (typeof checkReasons)[number]

/** Where an endpoint of the console is. */
export interface ConsoleRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/console/api`; `:slug` is of a workspace, `:id` of a key or an item. */
  path: string
}

const workspace = '/workspaces/:slug' as const

/** The endpoints of the console: routes, client and tests are made from this. */
export const consoleRoutes = {
  getSession: { method: 'GET', path: '/session' },
  signIn: { method: 'POST', path: '/session' },
  signOut: { method: 'DELETE', path: '/session' },
  changePassword: { method: 'POST', path: '/password' },
  getAccount: { method: 'GET', path: '/account' },
  updateAccount: { method: 'PATCH', path: '/account' },
  createWorkspace: { method: 'POST', path: '/workspaces' },
  getWorkspace: { method: 'GET', path: workspace },
  updateWorkspace: { method: 'PATCH', path: workspace },
  listKeys: { method: 'GET', path: `${workspace}/keys` },
  createKey: { method: 'POST', path: `${workspace}/keys` },
  showKey: { method: 'POST', path: `${workspace}/keys/:id/show` },
  revokeKey: { method: 'POST', path: `${workspace}/keys/:id/revoke` },
  listItems: { method: 'GET', path: `${workspace}/items` },
  getItem: { method: 'GET', path: `${workspace}/items/:id` },
  searchPurchases: { method: 'POST', path: `${workspace}/purchases/search` },
  getPurchase: { method: 'POST', path: `${workspace}/purchases/detail` },
  setPurchaseState: { method: 'POST', path: `${workspace}/purchases/state` },
  exportPurchases: { method: 'POST', path: `${workspace}/purchases/export` },
  check: { method: 'POST', path: `${workspace}/check` },
  getOverview: { method: 'GET', path: `${workspace}/overview` },
} as const satisfies Record<string, ConsoleRoute>

/** The name of an endpoint of the console. */
export type ConsoleEndpointName = keyof typeof consoleRoutes

/** The names of the parameters in a path. */
type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What fills the parameters in the path of an endpoint. */
export type ConsolePathParameters<Name extends ConsoleEndpointName> = Record<
  ParametersOf<(typeof consoleRoutes)[Name]['path']>,
  string
>

/** A path with its parameters filled in; a parameter without a value is empty. */
export const fillPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))

/**
 * The path of an endpoint below `/console/api`.
 *
 * @example
 * consolePath('showKey', { slug: 'ada-studio', id: 'k1' }) // '/workspaces/ada-studio/keys/k1/show'
 */
export const consolePath = <Name extends ConsoleEndpointName>(
  name: Name,
  parameters: ConsolePathParameters<Name>,
): string => fillPath(consoleRoutes[name].path, parameters)
