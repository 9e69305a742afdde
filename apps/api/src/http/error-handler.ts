import type { ErrorCode, Locale } from '@saleproof/schema'
import type { Logger } from 'pino'
import { DatabaseError, describeCause, isLoggedByMonitor } from '../db/errors.ts'
import { stackFrames } from '../db/stack-frames.ts'
import { ApiError } from './api-error.ts'
import { errorResponse } from './error-response.ts'
import { acceptedLocale } from './locale.ts'
import { codeOfParserError, isParserError } from './parser-errors.ts'
import type { PublicAddress } from './public-address.ts'
import type { RequestContext, RequestMiddleware } from './state.ts'

/** Counts an error of this code; gives the 429 to send instead once its limit is reached. */
export type LimitErrors = (code: ErrorCode, ctx: RequestContext) => Promise<ApiError | undefined>

export interface ErrorHandlerOptions {
  logger: Logger
  locale: Locale
  address: PublicAddress
  limitErrors: LimitErrors
  /** Records each database error that makes a request fail. */
  onError: (error: unknown) => void
  /** Whether each response is the last of its connection; also to requests that came before. */
  draining: () => boolean
}

/** A larger body is not read to its end after an error: to close the connection costs less. */
const largestDiscardedBody = 2 ** 20

/** Anything thrown, as an error of the API: a database that cannot answer is `unavailable`, anything unexpected an `internal_error`. */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (isParserError(thrown))
    return new ApiError(codeOfParserError(thrown), { headers: { Connection: 'close' } })
  return new ApiError(thrown instanceof DatabaseError ? 'unavailable' : 'internal_error', { cause: thrown })
}

/** Turns anything thrown into a response. */
export function errorHandler(options: ErrorHandlerOptions): RequestMiddleware {
  const { logger, address, limitErrors, onError, draining } = options

  function respond(ctx: RequestContext, error: ApiError) {
    const { operation, key } = ctx.state
    const locale = acceptedLocale(ctx.req.headers['accept-language']) ?? key?.locale ?? options.locale
    const context = { operation: operation?.name, locale, address: address.of(ctx.req) }
    const { status, headers, body } = errorResponse(error, context)
    ctx.state.errorCode = error.code
    ctx.status = status
    ctx.remove('ETag')
    ctx.remove('Vary')
    ctx.set(headers)
    ctx.body = JSON.stringify(body)
  }

  return async function errorHandler(ctx: RequestContext, next) {
    try {
      await next()
    } catch (thrown) {
      const original = toApiError(thrown)
      if (original.code === 'unavailable') onError(original.cause)
      const error = (await limitErrors(original.code, ctx)) ?? original
      if (error.cause !== undefined && !isLoggedByMonitor(error.cause))
        logError(logger, ctx.state.requestId, error)
      respond(ctx, error)
    }
    const length = Number(ctx.req.headers['content-length'] ?? 0)
    if (draining() || (!ctx.req.complete && length > largestDiscardedBody)) ctx.set('Connection', 'close')
  }
}

/**
 * Logs names, codes and stack frames only: a message may repeat what was sent, and parsers and drivers add the whole input to their errors.
 */
export function logError(logger: Logger, requestId: string, { code, cause }: ApiError) {
  const fields = { requestId, code, cause: { ...describeCause(cause), frames: stackFrames(cause) } }
  if (code === 'internal_error') logger.error(fields, 'unexpected error')
  else logger.warn(fields, 'request failed: database unavailable')
}
