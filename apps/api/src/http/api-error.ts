import type { ErrorCode } from '@saleproof/schema'

interface ApiErrorDetails {
  /** The parameter that `invalid_parameter` or `missing_parameter` is about. */
  parameter?: string
  /** Where a code has more than one status. */
  status?: number
  /** Headers of this error alone: a 405 has `Allow`, a 429 `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** An error with a code of the error table. Anything else that is thrown becomes `internal_error` or `unavailable`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly parameter: string | undefined
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, { parameter, status, headers = {}, cause }: ApiErrorDetails = {}) {
    super(code, { cause })
    this.name = 'ApiError'
    this.code = code
    this.parameter = parameter
    this.status = status
    this.headers = headers
  }
}
