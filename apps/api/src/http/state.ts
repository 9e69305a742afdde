import type { ErrorCode, Operation } from '@saleproof/schema'
import type { ConsoleErrorCode } from '@saleproof/schema/console'
import type { Middleware, ParameterizedContext } from 'koa'
import type { ActiveKey, RefusedKey } from '../domain/api-keys.ts'
import type { ValidatedPurchase } from './request-event.ts'

/** What the middleware learn about a request on its way in. */
export interface RequestState {
  /** For logs. */
  requestId: string
  /** Path of the route that responds, for logs: never the requested path, which may hold a secret. */
  route?: string
  operation?: Operation
  key?: ActiveKey
  /** The stored key of a request that was rejected for it. */
  refusedKey?: RefusedKey | undefined
  /** Whether the one key of the request is a secret one, once the database has said. */
  isKeySecret?: boolean
  errorCode?: ErrorCode | ConsoleErrorCode
  /** The purchase that was validated. Not for logs. */
  validated?: ValidatedPurchase
  /** The id of the key that signed the pass of the response. */
  signingKeyId?: string
  /** The purchase code that was sent. Not for logs. */
  sentCode?: string
  /** Parameters in the body, each with its value: a name may come twice. */
  body: readonly Parameter[]
}

/** A parameter as it came, from the query or the body. */
export type Parameter = readonly [name: string, value: unknown]

export type RequestContext = ParameterizedContext<RequestState>
export type RequestMiddleware = Middleware<RequestState>
