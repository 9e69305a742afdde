/** A request of an operator or owner that cannot be carried out. The message says why and what to do, and holds no secret. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}
