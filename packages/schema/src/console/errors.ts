interface ConsoleErrorEntry {
  /** The HTTP status. */
  status: number
  /** Whether the same request may succeed later without anybody changing anything. */
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
  /** Nobody is signed in, or the session has ended. */
  not_signed_in: refused(401),
  /** No account has this name and password. Says nothing about which of the two is wrong. */
  wrong_credentials: refused(401),
  /** The password that was asked for once more is wrong. The session goes on. */
  wrong_password: refused(403),
  /** The header `X-CSRF-Token` is missing or of another session: read the session again. */
  wrong_csrf_token: refused(403),
  /** The request was made by another site. */
  cross_site: refused(403),
  /** There is nothing here that this account may see. */
  not_found: refused(404),
  method_not_allowed: refused(405),
  body_too_large: refused(413),
  unsupported_media_type: refused(415),
  /** Members cannot be what they are; `fields` says which and why. */
  invalid: refused(422),
  /** Too many attempts; `retry_after` says how many seconds to wait. */
  too_many_attempts: later(429),
  /** So many exports are under way that another one has to wait; `retry_after` says how many seconds. */
  too_many_exports: later(429),
  internal_error: later(500),
  /** The service cannot find out right now, or the database is busy; `retry_after` says how many seconds to wait. */
  unavailable: later(503),
} as const satisfies Record<string, ConsoleErrorEntry>

/** What went wrong, as `error.code`. */
export type ConsoleErrorCode = keyof typeof consoleErrors

/** Every error code of the console. */
export const consoleErrorCodes = Object.keys(consoleErrors) as readonly ConsoleErrorCode[]

/** What can be wrong with a member of a request. */
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
  'timestamp',
  'shape',
  'locale',
  'slug',
  'slug_taken',
  'password',
  'same_password',
  'key_kind',
  'key_secret',
  'key_items',
  'past',
  'item_id',
  'item_kind',
  'purchase_state',
  'credential_length',
  'format',
  'sort',
  'limit',
  'cursor',
  'period',
  'timezone',
] as const

/** What is wrong with a member of a request. */
export type ConsoleFieldCode = (typeof consoleFieldCodes)[number]

/** The body of every failure under `/console/api`. */
export interface ConsoleFailure {
  error: {
    code: ConsoleErrorCode
    /** For `invalid`: what is wrong, by the path of the member, such as `profile.media.avatar`. */
    fields?: Record<string, ConsoleFieldCode>
    /** Seconds. */
    retry_after?: number
  }
}
