import type { ConsoleFieldCode } from '@saleproof/schema/console'

interface InvalidField {
  name: string
  code: ConsoleFieldCode
}

/** What helps: the command line names the command. */
export type Remedy = 'list_keys' | 'list_signing_keys' | 'list_workspaces' | 'remove_purchases'

/** A request from an operator or owner that cannot be carried out. The message says why and what to do, and contains no secret. */
export class UserError extends Error {
  readonly field: InvalidField | undefined
  readonly remedy: Remedy | undefined

  constructor(message: string, field?: InvalidField, remedy?: Remedy) {
    super(message)
    this.name = 'UserError'
    this.field = field
    this.remedy = remedy
  }
}
