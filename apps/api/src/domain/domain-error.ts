import { UserError } from '../user-error.ts'

export type DomainErrorCode =
  | 'account_taken'
  | 'account_unknown'
  | 'email_taken'
  | 'end_past'
  | 'expiry_past'
  | 'item_sold'
  | 'item_unknown'
  | 'key_inactive'
  | 'key_items'
  | 'key_replaced'
  | 'key_secret'
  | 'key_unknown'
  | 'last_item'
  | 'name_taken'
  | 'owner_unknown'
  | 'retired_signing_keys'
  | 'signing_key_unknown'
  | 'signing_keys'
  | 'slug'
  | 'slug_taken'
  | 'workspace_name'
  | 'workspace_unknown'

/** What cannot be carried out: the command line and the console have the words for it. */
export class DomainError extends UserError {
  readonly code: DomainErrorCode
  /** What the words name. Never a secret. */
  readonly values: readonly string[]

  constructor(code: DomainErrorCode, ...values: string[]) {
    super(code)
    this.name = 'DomainError'
    this.code = code
    this.values = values
  }
}
