import assert from 'node:assert/strict'
import {
  type ErrorCode,
  errorCodes,
  errors,
  failureMessage,
  isErrorCode,
  locales,
  operationList,
  urlTooLongStatus,
} from '@saleproof/schema'
import { checkAgainstOpenApi } from '../support/openapi-check.ts'
import { type RawAnswer, textOf } from './raw-answers.ts'

const parameters = ['item_id', 'purchase_code', 'shape'] as const

/** Every message that an answer with this code can have in this language. */
const messagesOf = (code: ErrorCode, locale: (typeof locales)[number]) =>
  new Set(
    [undefined, ...operationList.map(({ name }) => name)].flatMap((operation) =>
      [undefined, ...parameters].map((parameter) => failureMessage({ code, operation, parameter }, locale)),
    ),
  )

const messages = Object.fromEntries(
  errorCodes.flatMap((code) => locales.map((locale) => [`${code} ${locale}`, messagesOf(code, locale)])),
)

function checkFailure({ status, headers }: RawAnswer, text: string) {
  const code = headers['x-error-code']!
  assert(isErrorCode(code), `no such code: ${code}`)
  // Nothing is wrong with the database, and nothing is unexpected.
  assert(!['internal_error', 'unavailable'].includes(code), code)
  const expected = [errors[code].status, ...(code === 'request_too_large' ? [urlTooLongStatus] : [])]
  assert(expected.includes(status), `${code} with ${status}`)
  if (text !== '') {
    const known = messages[`${code} ${headers['content-language']}`]
    assert(known?.has(JSON.parse(text).msg), `another message of ${code}: ${text}`)
  }
  assert.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
  assert.equal('allow' in headers, status === 405)
  assert.equal('retry-after' in headers, status === 429)
}

/** The operations' own successes: which of them it was, the bytes that came in do not say for sure. */
function checkSuccess(answer: RawAnswer, text: string) {
  const { status, headers } = answer
  const problems = operationList.map(({ method, path }) => {
    try {
      checkAgainstOpenApi({ method, path }, { status, headers, text })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  })
  assert(
    problems.includes(undefined),
    `an answer of no operation: ${text.slice(0, 300)} (${problems.join('; ')})`,
  )
}

/** Whether an answer is one that the contract allows, whatever was asked. */
export function checkAnswer(answer: RawAnswer) {
  const { status, headers } = answer
  const text = textOf(answer)
  assert(status < 500, `${status}: ${text.slice(0, 300)}`)
  const isHead = answer.body.length === 0
  checkAgainstOpenApi({ method: isHead ? 'HEAD' : 'raw', path: '' }, { status, headers, text })
  if (headers['x-error-code'] !== undefined) return checkFailure(answer, text)
  // The owner's pages have errors of their own form.
  if (status >= 400) assert.match(text, /^$|^\{"error":\{"code":"\w+"/, `${status} without a code`)
  else if (text.startsWith('{"status":"success"')) checkSuccess(answer, text)
}
