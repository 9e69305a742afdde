import * as v from 'valibot'
import type { Locale } from '../constants.ts'
import type { FailureBody, ResponseBodies } from '../responses.ts'
import type { CheckReason } from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import type { ConsolePurchase } from './purchases.ts'
import type { CappedCount } from './request-fields.ts'

/** A response of the API. */
export interface CheckedResponse {
  status: number
  /** By name in lower case: the headers that are specific to this response. */
  headers: Record<string, string>
  body: ResponseBodies['validatePurchase'] | FailureBody
}

/** How the API responds to a code, and why. The check counts neither in statistics nor in rate limits. */
export interface ConsoleCheck {
  reason: CheckReason
  responses: Record<Locale, CheckedResponse>
  /** The matching purchase, if this workspace has one. */
  purchase: ConsolePurchase | null
  /** For `other_workspace`: its slug. */
  other_workspace: string | null
  /** For `customer`: the e-mail address or the order, and how many purchases have it. */
  customer: { search: string; count: CappedCount } | null
}

export const checkEndpoints = {
  check: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/check',
    queued: true,
    request: {
      /** Exactly as pasted, not trimmed. */
      purchase_code: v.pipe(v.string('text'), v.maxLength(4096, 'too_long')),
      /** By default a secret key of this workspace. */
      key_id: v.exactOptional(v.pipe(v.string('text'), v.nonEmpty('not_empty'), v.maxLength(64, 'too_long'))),
    },
    response: body<ConsoleCheck>(),
  }),
}
