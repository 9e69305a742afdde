import type { ConsoleFieldCode } from '@saleproof/schema/console'

interface InvalidField {
  name: string
  code: ConsoleFieldCode
}

/** A request from an operator or owner that cannot be carried out. The message says why and what to do, and contains no secret. */
export class UserError extends Error {
  readonly field: InvalidField | undefined

  constructor(message: string, field?: InvalidField) {
    super(message)
    this.name = 'UserError'
    this.field = field
  }
}
