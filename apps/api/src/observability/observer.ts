import type { ErrorCode, OperationName } from '@saleproof/schema'
import type { ConsoleErrorCode } from '@saleproof/schema/console'
import type { KeyRef } from '../domain/api-keys.ts'

/**
 * One request, as logs and metrics see it. Nothing in it was chosen freely by a caller but the request id, which has a safe form, and the
 * headers, which are for the owner's eyes and not for logs.
 */
export interface RequestEvent {
  method: string | null
  /** The route that answered, never the path that was asked for. */
  route: string | null
  operation: OperationName | undefined
  status: number
  code: ErrorCode | ConsoleErrorCode | null
  durationMs: number
  requestId: string
  workspace: string | null
  /** The key that was used, where it is one that may; for the owner, not for logs. */
  keyId: string | undefined
  /** The key that was used, where it is one that has expired or was revoked; for the owner, not for logs. */
  refusedKey: KeyRef | undefined
  /** Headers as they came, each name before its value. */
  rawHeaders: readonly string[]
  /** The item whose purchase was proven; for the owner, not for logs. */
  itemId: number | undefined
}

export type Observe = (event: RequestEvent) => void
