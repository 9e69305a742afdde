import type { ConsoleErrorCode, ConsoleFieldCode } from '@saleproof/schema/console'

/** `offline` means that there was no response. */
export type ApiErrorCode = ConsoleErrorCode | 'offline'

interface Details {
  fields: Readonly<Record<string, ConsoleFieldCode>>
  /** Seconds. */
  retryAfter: number | undefined
}

/** A failed request of the console. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  /** The invalid fields of the input, by path. */
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

const retryableCodes: readonly ApiErrorCode[] = ['offline', 'busy', 'unavailable', 'internal_error']

export const isRetryable = (error: unknown) =>
  !(error instanceof ApiError) || retryableCodes.includes(error.code)
