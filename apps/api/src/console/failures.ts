import type { ConsoleFailure as FailureBody } from '@saleproof/schema/console'
import type { Logger } from 'pino'
import { isUnavailable } from '../db/unavailable.ts'
import { ApiError } from '../http/api-error.ts'
import { reportFailure, retryAfterSeconds } from '../http/error-handler.ts'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext, RequestMiddleware } from '../http/state.ts'
import { UserError } from '../user-error.ts'
import { ConsoleFailure, invalid } from './console-error.ts'

export interface ConsoleFailuresOptions {
  logger: Logger
  /** Told of each error of the database that an answer failed for. */
  onError: (error: unknown) => void
}

function asConsoleFailure(thrown: unknown): ConsoleFailure {
  if (thrown instanceof ConsoleFailure) return thrown
  if (thrown instanceof UserError && thrown.member) return invalid(thrown.member.name, thrown.member.code)
  if (isUnavailable(thrown))
    return new ConsoleFailure('unavailable', { retryAfter: retryAfterSeconds, cause: thrown })
  return new ConsoleFailure('internal_error', { cause: thrown })
}

function answer(ctx: RequestContext, { code, status, details }: ConsoleFailure) {
  const { fields, retryAfter, headers = {} } = details
  const body: FailureBody = {
    error: { code, ...(fields && { fields }), ...(retryAfter !== undefined && { retry_after: retryAfter }) },
  }
  ctx.state.errorCode = code
  ctx.status = status
  ctx.set(headers)
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = JSON.stringify(body)
}

/** Anything that is thrown below `/console/api`, as an answer of the console's own form. */
export function consoleFailures({ logger, onError }: ConsoleFailuresOptions): RequestMiddleware {
  return async function consoleFailures(ctx, next) {
    try {
      await next()
    } catch (thrown) {
      // What the parser refuses is refused for every path alike.
      if (isParserError(thrown)) throw thrown
      const failure = asConsoleFailure(thrown)
      if (failure.code === 'unavailable') onError(failure.cause)
      if (failure.code === 'unavailable' || failure.code === 'internal_error')
        reportFailure(logger, ctx.state.requestId, new ApiError(failure.code, { cause: failure.cause }))
      answer(ctx, failure)
    }
  }
}
