import { headerNames, locales } from '../constants.ts'
import { type ErrorCode, errors, urlTooLongStatus } from '../errors.ts'
import { failureMessage, messages } from '../messages/index.ts'
import { type Operation, operationErrors } from '../operations.ts'
import {
  contentLanguage,
  crossOrigin,
  noStore,
  rateLimit,
  requestIdHeader,
  retryAfter,
  wwwAuthenticate,
} from './headers.ts'
import { schemaReference } from './schemas.ts'
import type { ExampleObject, HeaderObject, ResponseObject } from './types.ts'

/** The errors that are found before the rate limit is checked: their responses have no rate limit headers. */
const beforeLimit: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'method_not_allowed',
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
  'conflicting_api_keys',
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'malformed_request',
  'request_timeout',
  'request_too_large',
  'expectation_failed',
])

/** The statuses of a code. */
const listStatuses = (code: ErrorCode): readonly number[] =>
  code === 'request_too_large' ? [urlTooLongStatus, errors[code].status] : [errors[code].status]

const code = (codes: readonly ErrorCode[]): HeaderObject => ({
  description: 'The machine-readable reason.',
  required: true,
  schema: { type: 'string', enum: [...codes] },
})

const link = (codes: readonly ErrorCode[]): HeaderObject => ({
  description: 'The page that explains the code.',
  required: true,
  schema: { type: 'string', pattern: `^<https?://[^>]+/docs/errors#(${codes.join('|')})>; rel="help"$` },
})

const allowHeader = (methods: string): HeaderObject => ({
  description: 'The methods of this path.',
  required: true,
  schema: { type: 'string', const: methods },
})

/** What the failures of a path have in common. */
interface PathFailures {
  codes: readonly ErrorCode[]
  /** The methods of the path. */
  allow: string
  /** Without it, as the operations explain them. */
  explanations?: Readonly<Partial<Record<ErrorCode, string>>>
  /** Without it, the path is none of an operation. */
  operation?: Operation
}

const failureHeaders = ({ allow, operation }: PathFailures, status: number, codes: readonly ErrorCode[]) => ({
  [headerNames.errorCode]: code(codes),
  Link: link(codes),
  ...noStore,
  ...contentLanguage,
  ...requestIdHeader,
  ...(status === 401 && wwwAuthenticate),
  ...(status === 405 && { Allow: allowHeader(allow) }),
  ...((status === 429 || status === 503) && retryAfter),
  ...(operation && codes.some((each) => !beforeLimit.has(each)) && rateLimit),
  // Another method is another operation.
  ...(operation?.publishable && status !== 405 && crossOrigin),
})

/** The parameters that a code can be about: the message depends on the parameter. */
const exampleParameters = (
  operation: Operation | undefined,
  each: ErrorCode,
): readonly (string | undefined)[] =>
  operation && each === 'invalid_parameter' ? [...operation.required, 'shape'] : [undefined]

/** One example for each text that a code can have. */
function failureExamples(
  { operation, explanations }: PathFailures,
  each: ErrorCode,
): Record<string, ExampleObject> {
  const byText = new Map<string, string>()
  for (const parameter of exampleParameters(operation, each)) {
    for (const locale of locales) {
      const msg = failureMessage({ code: each, operation: operation?.name, parameter }, locale)
      const name = [each, parameter, locale].filter(Boolean).join('_')
      if (!byText.has(msg)) byText.set(msg, name)
    }
  }
  return Object.fromEntries(
    [...byText].map(([msg, name]) => [
      name,
      { summary: explanationText(each, explanations), value: { status: 'error', msg } },
    ]),
  )
}

const explanationText = (each: ErrorCode, own: PathFailures['explanations']) =>
  own?.[each] ?? messages.en.explanations[each]

/** The failures of a path, by status. */
export function createFailureResponses(failures: PathFailures): Record<string, ResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const each of failures.codes) {
    for (const status of listStatuses(each)) byStatus.set(status, [...(byStatus.get(status) ?? []), each])
  }
  const responses = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    responses.map(([status, codes]) => [
      status,
      {
        description: codes
          .map((each) => `- \`${each}\`: ${explanationText(each, failures.explanations)}`)
          .join('\n'),
        headers: failureHeaders(failures, status, codes),
        content: {
          'application/json': {
            schema: schemaReference('Failure'),
            examples: Object.assign({}, ...codes.map((each) => failureExamples(failures, each))),
          },
        },
      },
    ]),
  )
}

/** Every failure of an operation, by status. */
export const failureResponses = (operation: Operation): Record<string, ResponseObject> =>
  createFailureResponses({
    codes: operationErrors(operation.name),
    allow: operation.method === 'GET' ? 'GET, HEAD' : operation.method,
    operation,
  })
