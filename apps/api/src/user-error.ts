import type { ConsoleFieldCode } from '@saleproof/schema/console'

/** The member of what was asked for that it is about, and what is wrong with it. */
export interface RefusedMember {
  name: string
  code: ConsoleFieldCode
}

/** A request of an operator or owner that cannot be carried out. The message says why and what to do, and holds no secret. */
export class UserError extends Error {
  readonly member: RefusedMember | undefined

  constructor(message: string, member?: RefusedMember) {
    super(message)
    this.name = 'Refusal'
    this.member = member
  }
}
