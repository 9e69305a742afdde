import { operations } from '../operations.ts'
import { noStore, requestIdHeader, retryAfter } from './headers.ts'
import type { MediaTypeObject, OperationObject, ResponseObject } from './types.ts'

const response = (
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
  description: string,
  responses: OperationObject['responses'],
): OperationObject => ({
  operationId,
  tags: ['health'],
  summary,
  description: `${description} Needs no key.`,
  security: [],
  parameters: [],
  responses,
})

/** The states of each part; `unknown` where the database cannot be read. */
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
      operations: {
        type: 'object',
        description: 'With PostgreSQL: whether each operation gets responses, on its own connections.',
        properties: Object.fromEntries(
          Object.keys(operations).map((name) => [name, { type: 'string', enum: ['ok', 'locked', 'failed'] }]),
        ),
      },
    },
    required: ['status', 'checks'],
  },
  examples: { response: { summary: 'The state of each part', value } },
})

/** The two health checks. */
export const healthOperations: Readonly<Record<string, OperationObject>> = {
  '/healthz': probe('getHealth', 'Liveness', 'Whether the process is alive.', {
    200: response('The process is alive.', {
      schema: { type: 'object', properties: { status: { const: 'ok' } }, required: ['status'] },
      examples: { response: { summary: 'The process is alive', value: { status: 'ok' } } },
    }),
  }),
  '/readyz': probe(
    'getReadiness',
    'Readiness',
    'Whether the service is ready: its database, migrations and secret.',
    {
      200: response(
        'The service is ready.',
        readiness(['ready'], {
          status: 'ready',
          checks: { database: 'ok', migrations: 'ok', secret: 'ok' },
        }),
      ),
      503: response(
        'The service is not ready, or is stopping.',
        readiness(['not ready', 'stopping'], {
          status: 'not ready',
          checks: { database: 'missing', migrations: 'unknown', secret: 'unknown' },
        }),
        retryAfter,
      ),
    },
  ),
}
