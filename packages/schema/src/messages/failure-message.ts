import type { Locale } from '../constants.ts'
import { type ErrorCode, errors } from '../errors.ts'
import { operations } from '../operations.ts'
import type { OperationName } from '../routes.ts'
import { generalMessages } from './general.ts'

/** What failed: the code, and where they are known the operation and the parameter. */
export interface FailureCause {
  code: ErrorCode
  operation?: OperationName | undefined
  /** For `invalid_parameter`: of `item_id` and `purchase_code` the operation speaks, of any other parameter it does not. */
  parameter?: string | undefined
}

const speaksForOperation = ({ code, parameter }: FailureCause) =>
  errors[code].message === 'operation' &&
  (code !== 'invalid_parameter' || parameter === 'item_id' || parameter === 'purchase_code')

/**
 * The `msg` of a failure.
 *
 * @example
 * failureMessage({ code: 'no_items', operation: 'listItems' }, 'pt') // 'Nenhum item encontrado'
 */
export function failureMessage(cause: FailureCause, locale: Locale): string {
  if (cause.operation && speaksForOperation(cause)) return operations[cause.operation].message[locale]
  const { message } = errors[cause.code]
  return generalMessages[locale][message === 'operation' ? 'invalid_request' : message]
}
