import { type ConsoleErrorCode, type ConsoleFieldCode, consoleErrors } from '@saleproof/schema/console'

interface Details {
  /** What is wrong, by the path of the member. */
  fields?: Readonly<Record<string, ConsoleFieldCode>>
  /** In seconds. */
  retryAfter?: number
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** A refusal with a code of the console's own table. */
export class ConsoleFailure extends Error {
  readonly code: ConsoleErrorCode
  readonly details: Details

  constructor(code: ConsoleErrorCode, details: Details = {}) {
    super(code, { cause: details.cause })
    this.name = 'ConsoleFailure'
    this.code = code
    this.details = details
  }

  get status(): number {
    return consoleErrors[this.code].status
  }
}

/** Something that cannot be what it is, in one member. */
export const invalid = (name: string, code: ConsoleFieldCode) =>
  new ConsoleFailure('invalid', { fields: { [name]: code } })
