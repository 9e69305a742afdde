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

const readiness = (statuses: readonly string[], value: unknown): MediaTypeObject => ({
  schema: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: [...statuses] },
      checks: { type: 'object', additionalProperties: { type: 'string', enum: ['ok', 'failed'] } },
    },
    required: ['status', 'checks'],
  },
  examples: { answer: { summary: 'Each part and whether it works', value } },
})

/** The two addresses that tell whether the service works. */
export const healthOperations: Readonly<Record<string, OperationObject>> = {
  '/healthz': probe('getHealth', 'Whether the process lives.', {
    200: answer('It lives.', {
      schema: { type: 'object', properties: { status: { const: 'ok' } }, required: ['status'] },
      examples: { answer: { summary: 'It lives', value: { status: 'ok' } } },
    }),
  }),
  '/readyz': probe('getReadiness', 'Whether the service can answer: its database answers and is migrated.', {
    200: answer('It can.', readiness(['ready'], { status: 'ready', checks: { database: 'ok' } })),
    503: answer(
      'It cannot, or it was told to stop.',
      readiness(['not ready', 'stopping'], { status: 'not ready', checks: { database: 'failed' } }),
      retryAfter,
    ),
  }),
}
