// The entry `@saleproof/schema/constants`: the words of the contract, without Valibot. The SDK and the console bundle these.

export {
  type ErrorCode,
  errorCodes,
  errors,
  type GeneralMessage,
  isErrorCode,
  urlTooLongStatus,
} from './errors.ts'
export { errorExplanations } from './messages/error-explanations.ts'
export { clientExplanations } from './messages/explanations.ts'
export { commonErrors, type Operation, operationErrors, operationList, operations } from './operations.ts'
export { cleanPastedCode } from './pasted-code.ts'
export {
  type BodyTemplate,
  fillBody,
  type OperationName,
  operationNames,
  type ParameterName,
  type RecordName,
  type Route,
  routes,
} from './routes.ts'

/** The two shapes of items and purchases, in the order in which documents list them. */
export const shapes = ['base', 'extended'] as const

/** The shape of items and purchases in a response: `base` or `extended`. */
export type Shape = (typeof shapes)[number]

/** The languages that messages exist in; the first is the default of a deployment. */
export const locales = ['en', 'pt'] as const

/** A language of messages: `en` or `pt`. */
export type Locale = (typeof locales)[number]

/** What an item is made of. The kind decides the media fields of the extended shape and is never sent itself. */
export const itemKinds = ['image', 'video', 'audio'] as const

/** The kind of an item: `image`, `video` or `audio`. */
export type ItemKind = (typeof itemKinds)[number]

/** The states of a purchase. They are never sent; only an `active` purchase validates. */
export const purchaseStates = ['active', 'refunded', 'revoked'] as const

/** The state of a purchase: `active`, `refunded` or `revoked`. */
export type PurchaseState = (typeof purchaseStates)[number]

/** The largest number of characters (code points) in a key or a purchase code. */
export const maxCredentialLength = 255

/** The headers of Saleproof's own that clients read and send. */
export const headerNames = {
  errorCode: 'X-Error-Code',
  requestId: 'X-Request-Id',
  apiKey: 'X-Api-Key',
  pass: 'X-Purchase-Pass',
} as const
