import type { ErrorCode } from '@saleproof/schema'

interface FailureDetails {
  /** The parameter that `invalid_parameter` or `missing_parameter` is about. */
  parameter?: string
  /** Where a code has more than one status. */
  status?: number
  /** A failure brings its own headers: a 405 its `Allow`, a 503 its `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** A refusal with a code of the error table. Everything else that is thrown is an `internal_error` or `unavailable`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly parameter: string | undefined
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, { parameter, status, headers = {}, cause }: FailureDetails = {}) {
    super(code, { cause })
    this.name = 'Failure'
    this.code = code
    this.parameter = parameter
    this.status = status
    this.headers = headers
  }
}
