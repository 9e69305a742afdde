import type { ErrorCode, OperationName } from '@saleproof/schema'
import type { ConsoleErrorCode } from '@saleproof/schema/console'
import type { KeyRef } from '../domain/api-keys.ts'

/** A purchase by its stored code, and what a pass says of it. */
export interface ValidatedPurchase {
  code: string
  itemId: number
  licenseType: string
  /** In milliseconds since 1970, where its item offers support. */
  supportedUntil: number | undefined
  /** Its `purchaseRef`, once that was needed. */
  ref?: string
}

/** A finished request. Clients choose nothing in it but the headers, which must not reach logs. */
export interface RequestEvent {
  method: string | null
  /** The route, never the requested path. */
  route: string | null
  operation?: OperationName | undefined
  status: number
  code: ErrorCode | ConsoleErrorCode | null
  durationMs: number
  requestId: string
  workspace: number | null
  /** The accepted key. Not for logs. */
  keyId?: string | undefined
  /** From where a secret key was used. Not for logs. */
  clientAddress?: string | undefined
  /** A key that is expired or revoked. Not for logs. */
  refusedKey?: KeyRef | undefined
  /** Names and values in turn. */
  rawHeaders: readonly string[]
  /** The purchase that was validated. Not for logs. */
  validated?: ValidatedPurchase | undefined
  /** The id of the key that signed the pass of the response. */
  signingKeyId?: string | undefined
  /** The purchase code that was sent, in its one form. Not for logs. */
  sentCode?: string | undefined
}

export type Observe = (event: RequestEvent) => void
