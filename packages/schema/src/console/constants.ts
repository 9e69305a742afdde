// The entry `@saleproof/schema/console/constants`: the words of the console's own endpoints, without Valibot, for its pages.

import { typedKeys } from '../keys.ts'

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

/** A secret key that is used from this many addresses in 24 hours seems to be in programs that buyers have. */
export const manyAddresses = 10

/** The states of a key: `live` works, `expired` and `revoked` are refused. */
export const keyStates = ['live', 'expired', 'revoked'] as const

/** The state of a key: `live`, `expired` or `revoked`. */
export type KeyState = (typeof keyStates)[number]

/** How long a pass can be believed, in hours: 1 hour to 90 days, 14 days by default. */
export const passHours = { min: 1, max: 90 * 24, default: 14 * 24 } as const

/** A workspace has at most so many keys that sign, and so many with the retired ones whose passes may still be believed. */
export const signingKeyLimits = { signing: 10, all: 100 } as const

/** How items can be sorted; `-` reverses the order. */
export const itemSorts = ['-published_at', 'published_at', 'name', '-name', 'id', '-id'] as const

/** An order of items. */
export type ItemSort = (typeof itemSorts)[number]

/** The states of an item: the API's item operations leave out a `withdrawn` one, and its purchases still validate. */
export const itemStates = ['listed', 'withdrawn'] as const

/** The state of an item: `listed` or `withdrawn`. */
export type ItemState = (typeof itemStates)[number]

/** Fewer characters of the start or the end of a purchase code find nothing. */
export const minCodePart = 4

/** The periods of an overview: until now, or since the beginning of the month, of the year or of everything. */
export const overviewPeriods = ['24h', '7d', '30d', '90d', 'month', 'year', 'all'] as const

/** The period of an overview. */
export type OverviewPeriod = (typeof overviewPeriods)[number]

/** The outcomes of a validation. */
export const validationOutcomes = [
  /** The response held a purchase. */
  'valid',
  /** No purchase visible to the key has the code. */
  'not_found',
  /** The purchase was refunded or revoked. */
  'not_active',
  /** The request was refused because of its parameters, its body or its key. */
  'refused',
  /** A rate limit was reached. */
  'limited',
  /** The service failed, or its database was unavailable. */
  'failed',
] as const

/** The outcome of a validation. */
export type ValidationOutcome = (typeof validationOutcomes)[number]

/** What the activity log records, by kind. */
export const activityKinds = {
  keys: [
    'key.created',
    'key.rotated',
    'key.shown',
    'key.revoked',
    'signing_key.created',
    'signing_key.retired',
  ],
  purchases: [
    'purchase.created',
    'purchase.changed',
    'purchase.edited',
    'purchase.removed',
    'customer.erased',
  ],
  items: ['item.edited', 'item.withdrawn', 'item.restored', 'item.removed'],
  data: ['import', 'export'],
  settings: ['workspace.created', 'workspace.changed'],
  account: [
    'account.created',
    'account.changed',
    'account.removed',
    'password.changed',
    'password.reset',
    'reset_link.created',
  ],
  sign_ins: ['login', 'login.failed', 'logout', 'session.ended', 'sessions.ended'],
  service: ['backup', 'restore', 'secret.rotated', 'transfer', 'writes.lost'],
} as const

/** The kinds of actions in the activity log. */
export const activityKindNames = typedKeys(activityKinds)

/** A kind of action in the activity log. */
export type ActivityKind = keyof typeof activityKinds

/** An action in the activity log. */
export type ActivityAction = (typeof activityKinds)[ActivityKind][number]

/** Who acts: an owner in the console, a command of `saleproof`, or a program with the admin token. */
export const actorKinds = ['account', 'cli', 'admin_import'] as const

/** Who acts: `account`, `cli` or `admin_import`. */
export type ActorKind = (typeof actorKinds)[number]

/** The reasons for which the codes that failed last are kept. */
export const failedCodeReasons = ['purchase_not_found', 'purchase_not_active'] as const

/** A reason for which the codes that failed last are kept. */
export type FailedCodeReason = (typeof failedCodeReasons)[number]

/** The formats of an export. */
export const exportFormats = ['csv', 'ndjson'] as const

/** A format of an export. */
export type ExportFormat = (typeof exportFormats)[number]

/** The reasons for the API's response to a code. They say more than the API itself reveals. */
export const checkReasons = [
  /** Valid as pasted. */
  'valid',
  /** Valid after the API has cleaned white space, dashes and invisible characters. */
  'valid_as_paste',
  /** The purchase was refunded or revoked. */
  'refunded',
  'revoked',
  /** The publishable key is not bound to the item of the purchase. */
  'other_item',
  /** The purchase is in another workspace of this account: `other_workspace`. */
  'other_workspace',
  /** The text contains the code of `purchase`, and more. */
  'in_text',
  /** The code of `purchase` differs only in letter case. */
  'other_case',
  /** The code of `purchase` differs only in its dashes. */
  'other_dashes',
  /** The code of `purchase` differs in one character, or it alone differs in two that look alike. */
  'typo',
  /** The text contains an API key of this account. */
  'api_key',
  /** Exactly one code begins or ends with this, or has one part more: that was not copied. */
  'cut_off',
  /** The text has no code, but the e-mail address of a customer, or the number of an order: `customer`. */
  'customer',
  /** No purchase has this code, and it is shorter than a code should be. */
  'too_short',
  /** No purchase has this code. */
  'not_found',
  /** Only white space was pasted. */
  'empty',
  /** More than 255 characters. */
  'too_long',
  /** Contains U+0000 or a lone surrogate. */
  'malformed',
  /** The chosen key is refused, whatever the code is. */
  'key_expired',
  'key_revoked',
] as const

/** The reason for the API's response to a code. */
export type CheckReason = (typeof checkReasons)[number]
