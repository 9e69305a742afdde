import * as v from 'valibot'
import type { Locale } from '../constants.ts'
import { ShapeSchema } from '../parameters.ts'
import type { FailureBody, ResponseBodies } from '../responses.ts'
import type { ConsoleKey } from './keys.ts'
import type { ConsolePurchase } from './purchases.ts'

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

/** What the API sends. */
export interface CheckedAnswer {
  status: number
  /** By name in lower case: those that say something about this answer. */
  headers: Record<string, string>
  body: ResponseBodies['validatePurchase'] | FailureBody
}

/** `POST workspaces/:slug/check`. Counts neither in the statistics nor in the limits of a key. */
export interface ConsoleCheck {
  reason: CheckReason
  answers: Record<Locale, CheckedAnswer>
  /** The purchase that it is about, where there is one in this workspace. */
  purchase: ConsolePurchase | null
  /** The key that was chosen. */
  key: ConsoleKey | null
  /** For `other_workspace`: its slug. */
  other_workspace: string | null
}

/** `POST workspaces/:slug/check`. */
export const CheckSchema = v.strictObject({
  /** Exactly as it was pasted, not trimmed. */
  purchase_code: v.pipe(v.string('text'), v.maxLength(4096, 'too_long')),
  /** Without one: a secret key of this workspace. */
  key_id: v.exactOptional(v.pipe(v.string('text'), v.nonEmpty('not_empty'), v.maxLength(64, 'too_long'))),
  /** Without one: the default of the workspace. */
  shape: v.exactOptional(ShapeSchema),
})
