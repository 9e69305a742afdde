/** A request from an operator or owner that cannot be carried out. The message says why and what to do, and contains no secret. */
export class UserError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UserError'
  }
}
