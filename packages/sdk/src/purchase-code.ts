import { cleanPastedCode } from '@saleproof/schema/constants'

/**
 * The one form of a code, in which it is sent and compared, or `undefined` when it is malformed: empty, over 255 characters, not
 * well-formed or with control characters. Every code that the API rejects as malformed must be rejected here: otherwise a buyer could
 * force the outcome `unknown`, and with it the grace of a gate.
 */
export function readPurchaseCode(code: unknown): string | undefined {
  const text = typeof code === 'string' ? cleanPastedCode(code) : ''
  return /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text) ? text : undefined
}
