import {
  errors,
  type FailureBody,
  failureMessage,
  headerNames,
  type Locale,
  type OperationName,
} from '@saleproof/schema'
import type { ApiError } from './api-error.ts'
import { jsonType } from './response.ts'

/** An error as data: an `ApiError`, or a literal where making an `Error` would cost more than the rest of the response. */
export type ErrorDescription = Pick<ApiError, 'code'> & Partial<ApiError>

export interface ErrorContext {
  operation?: OperationName | undefined
  locale: Locale
  /** The public address of the service, whose documentation explains each code. */
  address: string
}

/** Seconds after which a client should repeat a request that the database did not answer. */
export const retryAfterSeconds = 1

/** The response to an error: the one envelope of the routes, the fast path and the server's raw responses. */
export function errorResponse(
  { code, parameter, status, headers: ownHeaders }: ErrorDescription,
  { operation, locale, address }: ErrorContext,
) {
  const { status: usualStatus } = errors[code]
  const headers: Record<string, string> = {
    'Content-Type': jsonType,
    'Cache-Control': 'no-store',
    [headerNames.errorCode]: code,
  }
  if (usualStatus === 401) headers['WWW-Authenticate'] = 'Bearer'
  if (code === 'unavailable') headers['Retry-After'] = String(retryAfterSeconds)
  if (ownHeaders) Object.assign(headers, ownHeaders)
  headers.Link = `<${address}/docs/errors#${code}>; rel="help"`
  headers['Content-Language'] = locale
  const body: FailureBody = { status: 'error', msg: failureMessage({ code, operation, parameter }, locale) }
  return { status: status ?? usualStatus, headers, body }
}
