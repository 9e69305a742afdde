export type {
  Account,
  Item,
  ItemBase,
  ItemCommon,
  ItemExtended,
  ItemSummary,
  Locale,
  Purchase,
  PurchaseBase,
  PurchaseCommon,
  PurchaseExtended,
  Shape,
} from '@saleproof/schema'
export { createClient } from './client.ts'
export {
  type ClientErrorCode,
  type ErrorDetails,
  type ErrorKind,
  isSaleproofError,
  SaleproofError,
} from './errors.ts'
export type { ErrorCode, OperationName } from './names.ts'
export type {
  AttemptEvent,
  CallMeta,
  CallOptions,
  CheckOptions,
  Client,
  ClientOptions,
  Fetch,
  InvalidCheck,
  InvalidReason,
  PurchaseCheck,
  RateLimit,
  Result,
  SafeCalls,
  UnknownCheck,
  Validate,
  ValidCheck,
} from './types.ts'
