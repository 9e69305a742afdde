import * as v from 'valibot'
import type { Locale } from '../constants.ts'
import { ShapeSchema } from '../parameters.ts'
import type { FailureBody, ResponseBodies } from '../responses.ts'
import type { CheckReason } from './constants.ts'
import type { ConsoleKey } from './keys.ts'
import type { ConsolePurchase } from './purchases.ts'

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
