import type { JsonSchema } from '@valibot/to-json-schema'
import type { ErrorCode } from '../errors.ts'
import { examplePurchase } from '../records/purchase.ts'
import { createFailureResponses } from './failures.ts'
import { noStore, requestIdHeader } from './headers.ts'
import type { OperationObject, ResponseObject } from './types.ts'

const { type: _, ...sale } = examplePurchase

/** The record of the example: `type` comes first in a line. */
const line = JSON.stringify({ type: 'purchase', ...sale })

const count: JsonSchema = {
  type: 'object',
  properties: {
    created: { type: 'integer', minimum: 0 },
    updated: { type: 'integer', minimum: 0 },
    unchanged: { type: 'integer', minimum: 0 },
  },
  required: ['created', 'updated', 'unchanged'],
}

const recordTypes = ['account', 'workspace', 'api_key', 'item', 'purchase']

const none = { created: 0, updated: 0, unchanged: 0 }

/** What is said of a line; it never holds a value of the line. */
const problems: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      line: { type: 'integer', minimum: 1 },
      field: { type: ['string', 'null'], description: 'The path of the field; `null` for the whole line.' },
      message: { type: 'string' },
    },
    required: ['line', 'field', 'message'],
  },
}

const headers = { ...noStore, ...requestIdHeader }

const stored: ResponseObject = {
  description: 'All of the records are stored. `warnings` lists codes that can be guessed.',
  headers,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          status: { type: 'string', const: 'success' },
          counts: {
            type: 'object',
            properties: Object.fromEntries(recordTypes.map((type) => [type, count])),
            required: recordTypes,
          },
          warnings: { ...problems, description: 'The first 20.' },
          warning_count: { type: 'integer', minimum: 0 },
        },
        required: ['status', 'counts', 'warnings', 'warning_count'],
      },
      examples: {
        response: {
          summary: 'One new purchase',
          value: {
            status: 'success',
            counts: {
              ...Object.fromEntries(recordTypes.map((type) => [type, none])),
              purchase: { created: 1, updated: 0, unchanged: 0 },
            },
            warnings: [],
            warning_count: 0,
          },
        },
      },
    },
  },
}

const rejected: ResponseObject = {
  description: 'Records are wrong, and nothing is stored. `problems` lists the first 20 by line and field.',
  headers,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          status: { type: 'string', const: 'error' },
          msg: { type: 'string' },
          problems: { ...problems, description: 'The first 20.' },
          more: { type: 'boolean', description: 'Whether there may be more problems.' },
        },
        required: ['status', 'msg', 'problems', 'more'],
      },
      examples: {
        response: {
          summary: 'A price that is negative',
          value: {
            status: 'error',
            msg: 'Nothing was stored',
            problems: [{ line: 1, field: 'price', message: 'must not be negative' }],
            more: false,
          },
        },
      },
    },
  },
}

/** Those of the API that a request with a token and a body of its own can have. */
const codes: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'route_not_found',
  'method_not_allowed',
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
  'internal_error',
  'unavailable',
]

/** What the errors mean here, where it is not what they mean in the other operations. */
const explanations: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_api_key: 'No token was sent: send it as “Authorization: Bearer TOKEN”.',
  invalid_api_key: 'It is not the token in `ADMIN_TOKEN`.',
  route_not_found: 'The service runs without `ADMIN_TOKEN`.',
  malformed_body: 'The body ended early.',
  body_too_large: 'The body is larger than 16 MiB: send it in parts.',
  unsupported_media_type: 'The body is compressed: send it plain.',
  unavailable:
    'Another writer holds the database, or it cannot be reached; nothing is stored: send it again after “Retry-After” seconds.',
}

/** `POST /admin/import`: records from a shop elsewhere. */
export const adminImport: OperationObject = {
  operationId: 'importRecords',
  tags: ['admin'],
  summary: 'Import records',
  description:
    'For operators: stores items, sales and refunds of a shop elsewhere. The body is one JSON object a line, in the format of `saleproof import`; at most 16 MiB, not compressed. Needs the token in `ADMIN_TOKEN`, and exists only where that is set. Stores all of the records or nothing; sending them again changes nothing.',
  security: [{ admin: [] }],
  parameters: [{ $ref: '#/components/parameters/X-Request-Id' }],
  requestBody: {
    description:
      'One JSON object a line, in the format of `saleproof import`; at most 16 MiB, not compressed.',
    required: true,
    content: {
      'application/x-ndjson': {
        schema: { type: 'string' },
        examples: { sale: { summary: 'One sale', value: `${line}\n` } },
      },
    },
  },
  responses: {
    200: stored,
    ...createFailureResponses({ codes, allow: 'POST', explanations }),
    422: rejected,
  },
}
