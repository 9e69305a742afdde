import {
  type ErrorCode,
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

interface ErrorContext {
  operation?: OperationName | undefined
  locale: Locale
  /** The public address of the service, whose documentation explains each code. */
  address: string
}

export interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: FailureBody
}

/** Seconds after which a client should repeat a request that the database did not answer. */
export const retryAfterSeconds = 1

function headersOfCode(code: ErrorCode): Readonly<Record<string, string>> | undefined {
  if (errors[code].status === 401) return { 'WWW-Authenticate': 'Bearer' }
  return code === 'unavailable' ? { 'Retry-After': String(retryAfterSeconds) } : undefined
}

/** The response to an error: the one envelope of the routes, the fast path and the server's raw responses. */
export function errorResponse(
  { code, parameter, status, headers }: ErrorDescription,
  { operation, locale, address }: ErrorContext,
): ErrorResponse {
  return {
    status: status ?? errors[code].status,
    headers: {
      'Content-Type': jsonType,
      'Cache-Control': 'no-store',
      [headerNames.errorCode]: code,
      ...headersOfCode(code),
      ...headers,
      Link: `<${address}/docs/errors#${code}>; rel="help"`,
      'Content-Language': locale,
    },
    body: { status: 'error', msg: failureMessage({ code, operation, parameter }, locale) },
  }
}
