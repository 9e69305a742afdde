import {
  type ConsoleErrorCode,
  type ConsoleFieldCode,
  consoleErrors,
  type ConsoleFailure as ErrorBody,
} from '@saleproof/schema/console'
import type { Logger } from 'pino'
import { DatabaseError } from '../db/errors.ts'
import { DomainError, type DomainErrorCode } from '../domain/domain-error.ts'
import { ApiError } from '../http/api-error.ts'
import { logError } from '../http/error-handler.ts'
import { retryAfterSeconds } from '../http/error-response.ts'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext, RequestMiddleware } from '../http/state.ts'

type FieldCodes = Readonly<Record<string, ConsoleFieldCode>>

interface ErrorDetails {
  /** What is wrong with each field, by its path. */
  fields?: FieldCodes
  /** In seconds. */
  retryAfter?: number
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

const safeName = /^(?:[a-z_]{1,20}|[A-Za-z][A-Za-z -]{0,12}|\d{1,4})$/

/** More names than the path of any field has. */
const maxDepth = 10

/** The path of a field, or of its parent where it is unknown: callers choose some names, and an error must not repeat a key or code in one. */
function safePath(path: string, code: ConsoleFieldCode): string {
  const names = path.split('.', maxDepth)
  if (code === 'unknown') names.pop()
  const unsafe = names.findIndex((name) => !safeName.test(name))
  return names.slice(0, unsafe < 0 ? maxDepth : unsafe).join('.')
}

const safeFields = (fields: FieldCodes) =>
  Object.fromEntries(Object.entries(fields).map(([path, code]) => [safePath(path, code), code]))

/** An error with a code from the console's own table. */
export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode
  readonly details: ErrorDetails

  constructor(code: ConsoleErrorCode, details: ErrorDetails = {}) {
    super(code, { cause: details.cause })
    this.name = 'ConsoleError'
    this.code = code
    this.details = details.fields ? { ...details, fields: safeFields(details.fields) } : details
  }
}

/** Too many requests of an owner wait. */
export const busy = () => new ConsoleError('busy', { retryAfter: 1 })

/** One field of a request has an invalid value. */
export const invalid = (field: string, code: ConsoleFieldCode) =>
  new ConsoleError('invalid', { fields: { [field]: code } })

/** The field of a request that an error of the domain is about. */
const domainFields: Readonly<Partial<Record<DomainErrorCode, FieldCodes>>> = {
  email_taken: { email: 'email_taken' },
  end_past: { ends_at: 'past' },
  expiry_past: { expires_at: 'past' },
  key_inactive: { '': 'key_inactive' },
  key_items: { items: 'key_items' },
  key_replaced: { '': 'key_replaced' },
  key_secret: { items: 'key_secret' },
  name_taken: { name: 'name_taken' },
  retired_signing_keys: { '': 'retired_signing_keys' },
  signing_keys: { '': 'signing_keys' },
  slug_taken: { slug: 'slug_taken' },
}

const isConsoleCode = (code: string): code is ConsoleErrorCode => Object.hasOwn(consoleErrors, code)

function toConsoleError(thrown: unknown): ConsoleError {
  if (thrown instanceof ConsoleError) return thrown
  if (thrown instanceof ApiError && isConsoleCode(thrown.code)) return new ConsoleError(thrown.code)
  const fields = thrown instanceof DomainError ? domainFields[thrown.code] : undefined
  if (fields) return new ConsoleError('invalid', { fields })
  if (thrown instanceof DatabaseError)
    return new ConsoleError(thrown.kind === 'full' ? 'disk_full' : 'unavailable', {
      retryAfter: retryAfterSeconds,
      cause: thrown,
    })
  return new ConsoleError('internal_error', { cause: thrown })
}

function respond(ctx: RequestContext, { code, details }: ConsoleError) {
  const { fields, retryAfter, headers = {} } = details
  const body: ErrorBody = {
    error: { code, ...(fields && { fields }), ...(retryAfter !== undefined && { retry_after: retryAfter }) },
  }
  ctx.state.errorCode = code
  ctx.status = consoleErrors[code].status
  ctx.set(headers)
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = JSON.stringify(body)
}

export interface ConsoleErrorOptions {
  logger: Logger
  /** Receives each database error that made a request fail. */
  onError: (error: unknown) => void
}

/** Turns anything thrown below `/console/api` into an error response in the console's format. */
export function consoleErrorHandler({ logger, onError }: ConsoleErrorOptions): RequestMiddleware {
  return async function consoleErrorHandler(ctx, next) {
    try {
      await next()
    } catch (thrown) {
      // The HTTP error handler answers these the same on every path.
      if (isParserError(thrown)) throw thrown
      const error = toConsoleError(thrown)
      const { code, cause } = error
      const isUnavailable = code === 'unavailable' || code === 'disk_full'
      if (isUnavailable) onError(cause)
      if (isUnavailable || code === 'internal_error')
        logError(logger, ctx.state.requestId, new ApiError(isUnavailable ? 'unavailable' : code, { cause }))
      respond(ctx, error)
    }
  }
}
