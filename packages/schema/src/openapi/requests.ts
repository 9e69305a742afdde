import type { JsonSchema } from '@valibot/to-json-schema'
import { headerNames } from '../failure.ts'
import type { Operation } from '../operations.ts'
import { maxCredentialLength, type ParameterName } from '../parameters.ts'
import { shapes } from '../shape.ts'
import { examplePurchaseCode } from './examples.ts'
import { schemaReference } from './schemas.ts'
import type { MediaTypeObject, OperationObject, ParameterObject, Reference } from './types.ts'

const credential: JsonSchema = { type: 'string', minLength: 1, maxLength: maxCredentialLength }

const shapeDescription = 'The form of items and purchases; without it the default of the workspace holds.'

const shape: JsonSchema = { type: 'string', enum: [...shapes] }

type ParameterKey =
  | Exclude<ParameterName, 'api_key'>
  | 'Accept-Language'
  | 'If-None-Match'
  | typeof headerNames.requestId

/** Parameters that the operations share or have. */
export const componentParameters: Record<ParameterKey, ParameterObject> = {
  item_id: {
    name: 'item_id',
    in: 'query',
    description: 'Decimal digits without a leading zero.',
    required: true,
    schema: schemaReference('ItemId'),
    example: 101,
  },
  purchase_code: {
    name: 'purchase_code',
    in: 'query',
    description: 'Here or in the body; better in the body, because addresses are written to logs.',
    required: false,
    schema: credential,
  },
  shape: { name: 'shape', in: 'query', description: shapeDescription, required: false, schema: shape },
  'Accept-Language': {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of messages: the best match among `en` and `pt`.',
    required: false,
    schema: { type: 'string', examples: ['pt-BR, en;q=0.5'] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an answer that you still have: is it unchanged, 304 comes without a body.',
    required: false,
    schema: { type: 'string' },
  },
  [headerNames.requestId]: {
    name: headerNames.requestId,
    in: 'header',
    description: 'Your own name for this request, 1 to 64 characters of `A-Z a-z 0-9 . _ -`; it comes back.',
    required: false,
    schema: { type: 'string' },
  },
}

const reference = (name: ParameterKey): Reference => ({
  $ref: `#/components/parameters/${name}`,
})

/** The parameters of an operation outside its body. */
export const parametersOf = ({ method, required }: Operation): Reference[] => [
  ...required.map(reference),
  reference('shape'),
  reference('Accept-Language'),
  ...(method === 'GET' ? [reference('If-None-Match')] : []),
  reference('X-Request-Id'),
]

const bodyMembers: Record<ParameterName, JsonSchema> = {
  api_key: { ...credential, description: 'The key, unless a header or the query has it.' },
  item_id: schemaReference('ItemId'),
  purchase_code: { ...credential, description: 'As the buyer gave it; white space around it is cut off.' },
  shape: { ...shape, description: shapeDescription },
}

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The body of an operation that is a POST: the same members whatever its type. */
export function requestBodyOf({ required }: Operation): NonNullable<OperationObject['requestBody']> {
  const names = ['api_key', ...required, 'shape'] as const
  const body: MediaTypeObject = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, bodyMembers[name]])),
      required: [...required],
    },
    examples: { code: { summary: 'A purchase code', value: { purchase_code: examplePurchaseCode } } },
  }
  return {
    description:
      'One of these types, at most 16 KiB, plain or with `Content-Encoding` gzip, deflate or br. The parameters may stand in the query instead.',
    required: false,
    content: Object.fromEntries(bodyTypes.map((type) => [type, body])),
  }
}

/** The ways to send a key. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key as a bearer token: the way to prefer.',
  },
  header: {
    type: 'apiKey',
    in: 'header',
    name: headerNames.apiKey,
    description: 'The API key in a header of its own.',
  },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The API key in the query. Addresses are written to logs: prefer a header.',
  },
} as const

/** What an operation asks for. In a body the key is one of the parameters, for which OpenAPI knows no scheme. */
export const securityOf = ({ method }: Operation): Record<string, string[]>[] => [
  { bearer: [] },
  { header: [] },
  { query: [] },
  ...(method === 'POST' ? [{}] : []),
]
