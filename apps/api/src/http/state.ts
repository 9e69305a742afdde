import type { Operation } from '@saleproof/schema'
import type { Middleware, ParameterizedContext } from 'koa'
import type { ActiveKey } from '../domain/api-keys.ts'
import type { RequestEvent } from './request-event.ts'

/** What the middleware learn about a request on its way in. */
export interface RequestState
  extends Pick<RequestEvent, 'refusedKey' | 'validated' | 'signingKeyId' | 'sentCode'> {
  /** For logs. */
  requestId: string
  /** Path of the route that responds, for logs: never the requested path, which may hold a secret. */
  route?: string
  operation?: Operation
  key?: ActiveKey
  /** Whether the one key of the request is a secret one, once the database has said. */
  isKeySecret?: boolean
  errorCode?: RequestEvent['code']
  /** Parameters in the body, each with its value: a name may come twice. */
  body: readonly Parameter[]
}

/** A parameter as it came, from the query or the body. */
export type Parameter = readonly [name: string, value: unknown]

export type RequestContext = ParameterizedContext<RequestState>
export type RequestMiddleware = Middleware<RequestState>
