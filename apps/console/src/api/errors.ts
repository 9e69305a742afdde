import type { ConsoleErrorCode, ConsoleFieldCode } from '@saleproof/schema/console'

/** `offline` where there was no answer at all. */
export type ApiErrorCode = ConsoleErrorCode | 'offline'

interface Details {
  fields: Readonly<Record<string, ConsoleFieldCode>>
  /** Seconds. */
  retryAfter: number | undefined
}

/** Why a request of the console did not do what it was for. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  /** What is wrong with the members that were sent, by their path. */
  readonly fields: Details['fields']
  readonly retryAfter: number | undefined

  constructor(code: ApiErrorCode, { fields = {}, retryAfter }: Partial<Details> = {}) {
    super(code)
    this.name = 'ApiError'
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

const passing: readonly ApiErrorCode[] = ['offline', 'unavailable', 'internal_error']

/** Whether it is worth while to ask again: what was refused is refused again. */
export const isRetryable = (error: unknown) => !(error instanceof ApiError) || passing.includes(error.code)
