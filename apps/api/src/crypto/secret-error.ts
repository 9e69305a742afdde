/** The service has not the secret that its database was made with. The message says what to do. */
export class SecretError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretError'
  }
}
