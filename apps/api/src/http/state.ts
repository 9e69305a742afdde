import type { ErrorCode, Operation } from '@saleproof/schema'
import type { ConsoleErrorCode } from '@saleproof/schema/console'
import type { Middleware, ParameterizedContext } from 'koa'
import type { ActiveKey, KeyRef } from '../domain/api-keys.ts'

/** What the middleware learn about a request on its way in. */
export interface RequestState {
  requestId: string
  /** Path of the route that answered, for logs: never the path that was asked for, which may hold a secret. */
  route?: string
  operation?: Operation
  key?: ActiveKey
  /** A key that there is, and that may do nothing. */
  refusedKey?: KeyRef | undefined
  errorCode?: ErrorCode | ConsoleErrorCode
  /** The item whose purchase was proven. */
  itemId?: number
  /** Members of the body, each with its value: a name may come twice. */
  body: readonly Parameter[]
  /** The bytes of the body where they were read before, or why they could not be. */
  earlyBody?: Buffer | Error
}

/** A parameter as it came, from the query or the body. */
export type Parameter = readonly [name: string, value: unknown]

export type RequestContext = ParameterizedContext<RequestState>
export type RequestMiddleware = Middleware<RequestState>
