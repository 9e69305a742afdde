import type { JsonSchema } from '@valibot/to-json-schema'
import { headerNames } from '../constants.ts'
import { type Operation, operationList } from '../operations.ts'
import { parameterSchemas } from '../parameters.ts'
import { ItemIdSchema } from '../primitives.ts'
import { examplePurchase } from '../records/purchase.ts'
import type { ParameterName } from '../routes.ts'
import { componentSchema } from './schemas.ts'
import type { MediaTypeObject, OperationObject, ParameterObject, Reference } from './types.ts'

// The schema of `item_id` also takes the digits of a query; the document shows the number that they stand for.
const schemas = { ...parameterSchemas, item_id: ItemIdSchema }

type QueryName = Exclude<ParameterName, 'api_key'>

const queryDescriptions: Record<QueryName, string> = {
  item_id: 'Decimal digits without a leading zero.',
  purchase_code: 'Here or in the body; better in the body, because addresses are written to logs.',
  shape: 'The shape of items and purchases; without it the default of the workspace holds.',
  pass: 'The ids of the signing keys that you trust, with commas between them: a success carries `X-Purchase-Pass`, signed with the newest of them.',
}

const bodyDescriptions: Record<ParameterName, string> = {
  ...queryDescriptions,
  api_key: 'The key, unless a header or the query has it.',
  purchase_code:
    'As the buyer entered it: white space around it, other dashes and invisible characters do not matter.',
}

const queryExamples: Partial<Record<QueryName, number>> = { item_id: 101 }

/** A POST takes its parameters in the body as well, so that none has to be in the query. */
const isRequired = (name: QueryName) =>
  operationList.some(({ method, required }) => method === 'GET' && required.some((each) => each === name))

const queryParameter = (name: QueryName): ParameterObject => ({
  name,
  in: 'query',
  description: queryDescriptions[name],
  required: isRequired(name),
  schema: componentSchema(schemas[name]),
  ...(queryExamples[name] !== undefined && { example: queryExamples[name] }),
})

const headerParameter = (name: string, description: string, schema: JsonSchema): ParameterObject => ({
  name,
  in: 'header',
  description,
  required: false,
  schema,
})

/** Parameters that the operations share or have. */
export const componentParameters = {
  item_id: queryParameter('item_id'),
  purchase_code: queryParameter('purchase_code'),
  shape: queryParameter('shape'),
  pass: queryParameter('pass'),
  Prefer: headerParameter('Prefer', '`pass=` and what the parameter `pass` takes.', {
    type: 'string',
    examples: ['pass=pNBYO_x9mXC8sTzF'],
  }),
  'Accept-Language': headerParameter(
    'Accept-Language',
    'The language of messages: the best match among `en` and `pt`.',
    { type: 'string', examples: ['pt-BR, en;q=0.5'] },
  ),
  'If-None-Match': headerParameter(
    'If-None-Match',
    'The `ETag` of a response that you still have: if it is unchanged, the response is a 304 without a body.',
    { type: 'string' },
  ),
  [headerNames.requestId]: headerParameter(
    headerNames.requestId,
    'Your own id of this request, 1 to 64 characters of `A-Z a-z 0-9 . _ -`; the response repeats it.',
    { type: 'string' },
  ),
} satisfies Record<QueryName, ParameterObject> & Record<string, ParameterObject>

const reference = (name: keyof typeof componentParameters): Reference => ({
  $ref: `#/components/parameters/${name}`,
})

/** The parameters of an operation outside its body. */
export const listParameters = ({ method, required, passes }: Operation): Reference[] => [
  ...required.map(reference),
  reference('shape'),
  ...(passes ? [reference('pass'), reference('Prefer')] : []),
  reference('Accept-Language'),
  ...(method === 'GET' ? [reference('If-None-Match')] : []),
  reference('X-Request-Id'),
]

const bodyProperty = (name: ParameterName): JsonSchema => ({
  ...componentSchema(schemas[name]),
  description: bodyDescriptions[name],
})

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The body of an operation that is a POST: the same fields whatever its type. */
export function createRequestBody({
  required,
  passes,
}: Operation): NonNullable<OperationObject['requestBody']> {
  const names: ParameterName[] = ['api_key', ...required, 'shape', ...(passes ? ['pass' as const] : [])]
  const body: MediaTypeObject = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, bodyProperty(name)])),
      required: [...required],
    },
    examples: {
      code: { summary: 'A purchase code', value: { purchase_code: examplePurchase.purchase_code } },
    },
  }
  return {
    description:
      'One of these types, at most 16 KiB, plain or with `Content-Encoding` gzip, deflate or br. The parameters may be in the query instead.',
    required: false,
    content: Object.fromEntries(bodyTypes.map((type) => [type, body])),
  }
}

/** The ways to send a key. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key as a bearer token: the preferred way.',
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
  admin: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token in `ADMIN_TOKEN`, for operators.',
  },
} as const

/** The ways to authenticate an operation. OpenAPI has no scheme for a key in a body. */
export const createSecurity = ({ method }: Operation): Record<string, string[]>[] => [
  { bearer: [] },
  { header: [] },
  { query: [] },
  ...(method === 'POST' ? [{}] : []),
]
