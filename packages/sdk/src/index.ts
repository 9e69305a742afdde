export type {
  Account,
  ErrorCode,
  Item,
  ItemBase,
  ItemCommon,
  ItemExtended,
  ItemSummary,
  Locale,
  OperationName,
  Purchase,
  PurchaseBase,
  PurchaseCommon,
  PurchaseExtended,
  Shape,
} from '@saleproof/schema'
export { checkPurchase } from './check-purchase.ts'
export { createClient } from './client.ts'
export {
  type ClientErrorCode,
  type ErrorKind,
  isSaleproofError,
  SaleproofError,
} from './errors.ts'
export type {
  CallOptions,
  CheckOptions,
  Client,
  ClientOptions,
  ConnectionOptions,
  Fetch,
  InvalidCheck,
  InvalidReason,
  Passes,
  PurchaseCheck,
  StandardSchema,
  UnknownCheck,
  Validate,
  ValidCheck,
} from './types.ts'
