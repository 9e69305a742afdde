import {
  type ErrorCode,
  errors,
  failureMessage,
  headerNames,
  type Locale,
  type OperationName,
} from '@saleproof/schema'
import type { Logger } from 'pino'
import type { FailureLimit } from '../api/rate-limit.ts'
import { DatabaseUnavailable, isUnavailable } from '../db/unavailable.ts'
import { stackFrames } from '../observability/stack-frames.ts'
import { ApiError } from './api-error.ts'
import { acceptedLocale } from './locale.ts'
import { codeOfParserError, isParserError } from './parser-errors.ts'
import type { RequestContext, RequestMiddleware } from './state.ts'

interface FailuresOptions {
  logger: Logger
  locale: Locale
  errorPage: (code: ErrorCode, ctx: RequestContext) => string
  limited: FailureLimit
  /** Told of each error of the database that an answer fails for. */
  onError: (error: unknown) => void
}

/** How long a caller should wait before it asks again what could not be found out. */
export const retryAfterSeconds = 1

/** Anything thrown, as a refusal. A failure to know is `unavailable`; what nobody foresaw is an `internal_error`. */
function asFailure(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (isParserError(thrown))
    return new ApiError(codeOfParserError(thrown), { headers: { Connection: 'close' } })
  if (isUnavailable(thrown)) return new ApiError('unavailable', { cause: thrown })
  return new ApiError('internal_error', { cause: thrown })
}

const ownHeaders: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  unavailable: { 'Retry-After': String(retryAfterSeconds) },
}

const headersOf = ({ code, headers }: ApiError) => ({
  'Cache-Control': 'no-store',
  [headerNames.errorCode]: code,
  ...(errors[code].status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  ...ownHeaders[code],
  ...headers,
})

interface Told {
  operation: OperationName | undefined
  language: Locale
  /** Where the failure is explained. */
  page: string
}

/** What is said of a failure. */
export const failureAnswer = (failure: ApiError, { operation, language, page }: Told) => ({
  status: failure.status ?? errors[failure.code].status,
  headers: { ...headersOf(failure), Link: `<${page}>; rel="help"`, 'Content-Language': language },
  body: {
    status: 'error' as const,
    msg: failureMessage({ code: failure.code, operation, parameter: failure.parameter }, language),
  },
})

/** The one place that turns anything thrown into an answer. */
export function failures({
  logger,
  locale,
  errorPage,
  limited,
  onError,
}: FailuresOptions): RequestMiddleware {
  function answer(ctx: RequestContext, failure: ApiError) {
    const { code } = failure
    const language = acceptedLocale(ctx.req.headers['accept-language']) ?? ctx.state.key?.locale ?? locale
    ctx.state.errorCode = code
    const operation = ctx.state.operation?.name
    const { status, headers, body } = failureAnswer(failure, {
      ...{ operation, language },
      page: errorPage(code, ctx),
    })
    ctx.status = status
    ctx.set(headers)
    for (const name of ['ETag', 'Vary']) ctx.remove(name)
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = JSON.stringify(body)
  }

  return async function failures(ctx, next) {
    try {
      await next()
    } catch (thrown) {
      const cause = asFailure(thrown)
      if (cause.code === 'unavailable') onError(cause.cause)
      const failure = (await limited(cause.code, ctx)) ?? cause
      if (shouldLog(failure.cause)) reportFailure(logger, ctx.state.requestId, failure)
      answer(ctx, failure)
    }
    // A body that was not read to its end is thrown away by Node; past this it is cheaper to end the connection.
    if (!ctx.req.complete && Number(ctx.req.headers['content-length'] ?? 0) > 2 ** 20)
      ctx.set('Connection', 'close')
  }
}

/** Whoever found out that the database is not there has said so, once. */
export const shouldLog = (cause: unknown) => cause !== undefined && !(cause instanceof DatabaseUnavailable)

/**
 * What went wrong inside, for the operator. Only names, codes and the frames of the stack: a message may repeat what was
 * sent, and parsers and drivers add the whole input to their errors.
 */
export function reportFailure(logger: Logger, requestId: string, { code, cause }: ApiError) {
  const { name, code: causeCode } = (cause ?? {}) as { name?: string; code?: unknown }
  const frames = stackFrames(cause)
  logger[code === 'internal_error' ? 'error' : 'warn'](
    { requestId, code, cause: { name, code: causeCode, frames } },
    code === 'internal_error' ? 'unforeseen error' : 'the answer could not be found out',
  )
}
