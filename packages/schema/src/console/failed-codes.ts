import * as v from 'valibot'
import { failedCodeReasons } from './constants.ts'
import type { ConsolePurchase } from './purchases.ts'

/** A code that failed, and what a seller can do about it. */
export interface ConsoleFailedCode {
  /** The purchase that has the code; `null` for an unknown code. */
  purchase: ConsolePurchase | null
  /** The first and the last four characters of an unknown code; `null` where that would be half of it. */
  masked: string | null
  /** The key that was used last; `null` when it was removed. */
  key: { name: string; last_four: string | null } | null
  /** When it failed last. */
  at: string
  /** How often it failed. */
  count: number
}

/** `GET workspaces/:slug/failed-codes`: the codes that failed last for a reason, 50 at most and none older than 30 days. */
export interface ConsoleFailedCodes {
  /** Last failure first. */
  codes: ConsoleFailedCode[]
}

/** The query of `GET workspaces/:slug/failed-codes`. */
export const FailedCodesSchema = v.strictObject({ reason: v.picklist(failedCodeReasons, 'reason') })
