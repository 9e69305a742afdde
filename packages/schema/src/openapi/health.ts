import { noStore, requestIdHeader, retryAfter } from './headers.ts'
import type { MediaTypeObject, OperationObject, ResponseObject } from './types.ts'

const answer = (
  description: string,
  body: MediaTypeObject,
  headers: ResponseObject['headers'] = {},
): ResponseObject => ({
  description,
  headers: { ...noStore, ...requestIdHeader, ...headers },
  content: { 'application/json': body },
})

const probe = (
  operationId: string,
  summary: string,
  responses: OperationObject['responses'],
): OperationObject => ({
  operationId,
  tags: ['health'],
  summary,
  description: 'For whoever runs the service; needs no key.',
  security: [],
  parameters: [],
  responses,
})

/** What may be the matter with each part; `unknown` where the database does not say. */
const states = {
  database: ['ok', 'missing', 'replaced', 'damaged', 'locked', 'failed'],
  migrations: ['ok', 'pending', 'newer', 'edited', 'unfinished', 'unknown'],
  secret: ['ok', 'wrong', 'unknown'],
}

const readiness = (statuses: readonly string[], value: unknown): MediaTypeObject => ({
  schema: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: [...statuses] },
      checks: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(states).map(([name, values]) => [name, { type: 'string', enum: values }]),
        ),
        required: Object.keys(states),
      },
    },
    required: ['status', 'checks'],
  },
  examples: { answer: { summary: 'Each part, and what is the matter with it', value } },
})

/** The two addresses that tell whether the service works. */
export const healthOperations: Readonly<Record<string, OperationObject>> = {
  '/healthz': probe('getHealth', 'Whether the process lives.', {
    200: answer('It lives.', {
      schema: { type: 'object', properties: { status: { const: 'ok' } }, required: ['status'] },
      examples: { answer: { summary: 'It lives', value: { status: 'ok' } } },
    }),
  }),
  '/readyz': probe('getReadiness', 'Whether the service can answer: its database, migrations and secret.', {
    200: answer(
      'It can.',
      readiness(['ready'], {
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', secret: 'ok' },
      }),
    ),
    503: answer(
      'It cannot, or it was told to stop.',
      readiness(['not ready', 'stopping'], {
        status: 'not ready',
        checks: { database: 'missing', migrations: 'unknown', secret: 'unknown' },
      }),
      retryAfter,
    ),
  }),
}
