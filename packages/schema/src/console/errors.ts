import type * as v from 'valibot'
import { typedKeys } from '../keys.ts'

interface ConsoleErrorEntry {
  /** The HTTP status. */
  status: number
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean
}

const refused = (status: number) => ({ status, retryable: false }) as const
const later = (status: number) => ({ status, retryable: true }) as const

/**
 * What can go wrong under `/console/api`: the code, as `error.code` in the body, and its HTTP status.
 *
 * @example
 * consoleErrors.not_signed_in.status // 401
 */
export const consoleErrors = {
  /** The body is not a JSON object. */
  malformed_body: refused(400),
  /** There is no session, or it has ended. */
  not_signed_in: refused(401),
  /** Incorrect username or password; does not reveal which. */
  wrong_credentials: refused(401),
  /** The current password is incorrect. The session continues. */
  wrong_password: refused(403),
  /** A link to reset a password was used, has expired, was replaced by a newer link or password, or never existed. */
  invalid_reset_link: refused(403),
  /** The header `X-CSRF-Token` is missing or belongs to another session: read the session again. */
  wrong_csrf_token: refused(403),
  /** The request was made by another site. */
  cross_site: refused(403),
  /** Not found, or not visible to this account. */
  not_found: refused(404),
  method_not_allowed: refused(405),
  body_too_large: refused(413),
  unsupported_media_type: refused(415),
  /** Some fields are invalid; `fields` says which and why. */
  invalid: refused(422),
  /** Too many attempts; `retry_after` says how many seconds to wait. */
  too_many_attempts: later(429),
  /** Too many exports are running; `retry_after` says how many seconds to wait. */
  too_many_exports: later(429),
  /** Another import of this account is running; `retry_after` says how many seconds to wait. */
  too_many_imports: later(429),
  internal_error: later(500),
  /** Too many requests of this kind are waiting; `retry_after` says how many seconds to wait. */
  busy: later(503),
  /** The disk of the database is full: until its operator makes room, nothing can be changed. */
  disk_full: later(503),
  /** The database is unavailable or busy; `retry_after` says how many seconds to wait. */
  unavailable: later(503),
} as const satisfies Record<string, ConsoleErrorEntry>

/** What went wrong, as `error.code`. */
export type ConsoleErrorCode = keyof typeof consoleErrors

/** Every error code of the console. */
export const consoleErrorCodes: readonly ConsoleErrorCode[] = /* @__PURE__ */ typedKeys(consoleErrors)

/** What can be wrong with a field of a request. */
export const consoleFieldCodes = [
  'required',
  'unknown',
  'type',
  'text',
  'well_formed',
  'not_empty',
  'too_long',
  'list',
  'map',
  'network',
  'link',
  'email',
  'email_taken',
  'timestamp',
  'shape',
  'locale',
  'pass_hours',
  'signing_keys',
  'retired_signing_keys',
  'slug',
  'slug_taken',
  'name_taken',
  'password',
  'same_password',
  'key_kind',
  'key_secret',
  'key_items',
  'key_inactive',
  'key_replaced',
  'past',
  'item_id',
  'item_kind',
  'item_state',
  'purchase_state',
  'credential_length',
  'format',
  'sort',
  'limit',
  'cursor',
  'period',
  'timezone',
  'activity_kind',
  'actor_kind',
] as const

/** What is wrong with a field of a request. */
export type ConsoleFieldCode = (typeof consoleFieldCodes)[number]

/** The body of every failure under `/console/api`. */
export interface ConsoleFailure {
  error: {
    code: ConsoleErrorCode
    /** For `invalid`: what is wrong, by the path of the field, such as `profile.media.avatar`. */
    fields?: Record<string, ConsoleFieldCode>
    /** Seconds. */
    retry_after?: number
  }
}

const isFieldCode = (text: string): text is ConsoleFieldCode =>
  consoleFieldCodes.some((code) => code === text)

function toFieldCode(issue: v.BaseIssue<unknown>): ConsoleFieldCode {
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown'
  if (issue.input === undefined) return 'required'
  return isFieldCode(issue.message) ? issue.message : 'type'
}

/**
 * What is wrong with a request: the first problem of each field, by its path. Never holds a value. A problem of the whole request
 * is under `''`.
 *
 * @example
 * const { issues } = v.safeParse(SignInSchema, { login: '' })
 * fieldCodes(issues) // { login: 'not_empty', password: 'required' }
 */
export function fieldCodes(issues: readonly v.BaseIssue<unknown>[]): Record<string, ConsoleFieldCode> {
  const found = new Map<string, ConsoleFieldCode>()
  for (const issue of issues) {
    const path = (issue.path ?? []).map(({ key }) => String(key)).join('.')
    if (!found.has(path)) found.set(path, toFieldCode(issue))
  }
  return Object.fromEntries(found)
}
