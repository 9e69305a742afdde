import type { ErrorCode } from '@saleproof/schema'
import type { FailedCodeReason, LastUsedBy } from '@saleproof/schema/console'
import type { Sql } from '../db/sql.ts'
import type { CountKind, CountRow } from './counts.ts'
import { usageMethods } from './usage-methods.ts'

/** The last use of a key. */
export interface KeyUse extends LastUsedBy {
  keyId: string
  /** In milliseconds since 1970. */
  at: number
}

/** A key was used in an hour from an address that is in this slot. */
export interface KeyAddress {
  keyId: string
  /** From 0 to 255. */
  slot: number
  /** Since 1970. */
  hour: number
}

/** How often a purchase was validated, and when for the first and the last time, in milliseconds since 1970. */
export interface PurchaseUseTotal {
  firstAt: number
  lastAt: number
  count: number
}

/** Validations of a purchase that are to be added to its total. */
export interface PurchaseUse extends PurchaseUseTotal {
  /** Its `purchaseRef`. */
  purchase: string
  /** The number of a removal of it. */
  removal: number
  itemId: number
}

/** Validations of one code that failed for one reason. */
export interface FailedCode {
  workspaceId: number
  reason: FailedCodeReason
  /** A keyed hash of the code that was sent. */
  hash: string
  /** That code, encrypted: base64url. */
  sealed: string
  /** The key that was used last. */
  keyId: string
  lastAt: number
  count: number
}

/** A code that a visitor validated last at a time, in milliseconds since 1970. */
export interface KnownCode {
  /** A keyed hash of the visitor and the code. */
  ref: string
  at: number
}

/** What a process has collected: at most one of each key, slot, count, purchase and code. */
export interface UsageBatch {
  keyUses: readonly KeyUse[]
  addresses: readonly KeyAddress[]
  counts: readonly CountRow[]
  purchases: readonly PurchaseUse[]
  failed: readonly FailedCode[]
  known: readonly KnownCode[]
}

export interface LastUse {
  at: Date
  by: LastUsedBy
}

export interface StatisticsQuery {
  workspaceId: number
  /** Hours since 1970; the first is included, the last is not. */
  from: number
  to: number
}

export interface Statistics {
  rows: readonly { hour: number; kind: CountKind; name: string; code: ErrorCode | ''; count: number }[]
  /** The items with the most validations; `rows` contains no other items. */
  items: readonly string[]
  /** What happened until then is included. In milliseconds since 1970; undefined where nothing was written yet. */
  flushedAt: number | undefined
}

export interface FailedCodesQuery {
  workspaceId: number
  reason: FailedCodeReason
  now: number
}

/** What is kept of the validations of a purchase. */
export interface ForgottenPurchase {
  workspaceId: number
  /** Its `purchaseRef`. */
  purchase: string
  removal: number
  /** The keyed hash of its code, as of one that failed. */
  hash: string
  /** When it was removed. */
  at: number
}

type Methods = typeof usageMethods

export type UsageStore = {
  [Method in keyof Methods]: Methods[Method] extends (sql: Sql, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never
}

/** A method of the store, and its arguments. */
export interface UsageCall {
  method: keyof Methods
  given: unknown[]
}

/** Runs a call in a transaction. The types of a call are those of the store. */
export const runUsageCall = (sql: Sql, { method, given }: UsageCall) =>
  (usageMethods[method] as (sql: Sql, ...given: unknown[]) => Promise<unknown>)(sql, ...given)

/** A store whose every method is a call of the same name. */
export const createUsageStore = (call: (called: UsageCall) => Promise<unknown>) =>
  new Proxy({} as UsageStore, {
    get:
      (_, method: keyof Methods) =>
      (...given: unknown[]) =>
        call({ method, given }),
  })
