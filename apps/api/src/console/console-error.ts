import { type ConsoleErrorCode, type ConsoleFieldCode, consoleErrors } from '@saleproof/schema/console'

interface Details {
  /** What is wrong, by the path of the member. */
  fields?: Readonly<Record<string, ConsoleFieldCode>>
  /** In seconds. */
  retryAfter?: number
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

const plainName = /^(?:[a-z_]{1,20}|[A-Za-z][A-Za-z -]{0,12}|\d{1,4})$/

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))

/** The path of a member, or of what it is in: where callers choose names, a key or a code may stand, and no failure repeats one. */
const toldPath = (path: string): string =>
  path === '' || path.split('.').every((name) => plainName.test(name)) ? path : toldPath(parentOf(path))

const told = (fields: NonNullable<Details['fields']>) =>
  Object.fromEntries(
    Object.entries(fields).map(([path, code]) => [
      toldPath(code === 'unknown' ? parentOf(path) : path),
      code,
    ]),
  )

/** A refusal with a code of the console's own table. */
export class ConsoleFailure extends Error {
  readonly code: ConsoleErrorCode
  readonly details: Details

  constructor(code: ConsoleErrorCode, details: Details = {}) {
    super(code, { cause: details.cause })
    this.name = 'ConsoleFailure'
    this.code = code
    this.details = details.fields ? { ...details, fields: told(details.fields) } : details
  }

  get status(): number {
    return consoleErrors[this.code].status
  }
}

/** Something that cannot be what it is, in one member. */
export const invalid = (name: string, code: ConsoleFieldCode) =>
  new ConsoleFailure('invalid', { fields: { [name]: code } })
