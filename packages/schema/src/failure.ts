import * as v from 'valibot'

/** The body of every failure: two members, no more. The reason travels in the header `X-Error-Code`. */
export interface FailureBody {
  status: 'error'
  /** For a person to read; its language follows `Accept-Language`. */
  msg: string
}

/** The body of a failure. Added members are taken and left out of the result. */
export const FailureBodySchema = v.object({ status: v.literal('error'), msg: v.string() })

/** The names of the headers that tell more about an answer than its body. */
export const headerNames = {
  errorCode: 'X-Error-Code',
  requestId: 'X-Request-Id',
  apiKey: 'X-Api-Key',
} as const
