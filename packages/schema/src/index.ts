export { type Account, AccountSchema } from './account.ts'
export { currencyCodes, currencyDigits } from './currencies.ts'
export {
  type ErrorCode,
  errorCodes,
  errors,
  type GeneralMessage,
  isErrorCode,
  urlTooLongStatus,
} from './errors.ts'
export { type FailureBody, FailureBodySchema, headerNames } from './failure.ts'
export {
  type Item,
  type ItemBase,
  ItemBaseSchema,
  type ItemCommon,
  type ItemExtended,
  ItemExtendedSchema,
  type ItemKind,
  ItemSchemas,
  itemKinds,
} from './item.ts'
export { type Locale, locales } from './locale.ts'
export {
  type FailureCause,
  failureMessage,
  type IssueKey,
  issueMessage,
  type Messages,
  messages,
  type OperationName,
} from './messages/index.ts'
export { formatMoney, type MoneyProblem, parseMoney } from './money.ts'
export {
  commonErrors,
  errorsOf,
  type Operation,
  operationList,
  operations,
  type ResponseBodies,
  successSchemas,
} from './operations.ts'
export {
  ApiKeyParameterSchema,
  cleanPastedCode,
  ItemIdParameterSchema,
  maxCredentialLength,
  type ParameterName,
  PurchaseCodeParameterSchema,
  parameterSchemas,
} from './parameters.ts'
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
export {
  type ItemSummary,
  type Purchase,
  type PurchaseBase,
  PurchaseBaseSchema,
  type PurchaseCommon,
  type PurchaseExtended,
  PurchaseExtendedSchema,
  PurchaseSchemas,
  type PurchaseState,
  purchaseStates,
} from './purchase.ts'
export { type Shape, ShapeSchema, shapes } from './shape.ts'
export { formatTimestamp, parseTimestamp } from './timestamps.ts'
