export {
  commonErrors,
  type ErrorCode,
  errorCodes,
  errors,
  type GeneralMessage,
  headerNames,
  type ItemKind,
  isErrorCode,
  itemKinds,
  type Locale,
  locales,
  maxCredentialLength,
  type Operation,
  type OperationName,
  operationErrors,
  operationList,
  operationNames,
  operations,
  type ParameterName,
  type PurchaseState,
  purchaseStates,
  type Shape,
  shapes,
  urlTooLongStatus,
} from './constants.ts'
export { cors } from './cors.ts'
export { currencyCodes, currencyDigits } from './currencies.ts'
export {
  type FailureCause,
  failureMessage,
  type IssueKey,
  issueMessage,
  type Messages,
  messages,
} from './messages/index.ts'
export { formatMoney, type MoneyProblem, parseMoney } from './money.ts'
export {
  ApiKeyParameterSchema,
  ItemIdParameterSchema,
  PurchaseCodeParameterSchema,
  parameterSchemas,
  ShapeSchema,
} from './parameters.ts'
export { cleanPastedCode } from './pasted-code.ts'
export {
  AmountSchema,
  CurrencySchema,
  ItemIdSchema,
  LinkSchema,
  OptionalLinkSchema,
  PriceSchema,
  TextSchema,
  TimestampSchema,
  VersionSchema,
} from './primitives.ts'
export type { Account } from './records/account.ts'
export type { Item, ItemBase, ItemCommon, ItemExtended, ItemSummary } from './records/item.ts'
export type { Purchase, PurchaseBase, PurchaseCommon, PurchaseExtended } from './records/purchase.ts'
export {
  AccountSchema,
  ItemBaseSchema,
  ItemExtendedSchema,
  ItemSchemas,
  PurchaseBaseSchema,
  PurchaseExtendedSchema,
  PurchaseSchemas,
} from './records/schemas.ts'
export {
  type FailureBody,
  FailureBodySchema,
  type OperationResults,
  operationSchemas,
  type ResponseBodies,
  successSchemas,
} from './responses.ts'
export { formatTimestamp, parseTimestamp } from './timestamps.ts'
