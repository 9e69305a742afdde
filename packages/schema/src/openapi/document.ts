import type { JsonSchema } from '@valibot/to-json-schema'
import { type Shape, shapes } from '../constants.ts'
import { type Operation, operationList } from '../operations.ts'
import { successSchemas } from '../responses.ts'
import { adminImport } from './admin-import.ts'
import { exampleBody } from './examples.ts'
import { failureResponses } from './failures.ts'
import {
  componentHeaders,
  contentLanguage,
  crossOrigin,
  noStore,
  passHeader,
  rateLimit,
  requestIdHeader,
  revalidated,
} from './headers.ts'
import { healthOperations } from './health.ts'
import { jwks } from './jwks.ts'
import {
  componentParameters,
  createRequestBody,
  createSecurity,
  listParameters,
  securitySchemes,
} from './requests.ts'
import { componentSchema, componentSchemas } from './schemas.ts'
import type { OpenApiDocument, OperationObject, PathItemObject, ResponseObject } from './types.ts'

const titles: Record<Shape, string> = { base: 'Base shape', extended: 'Extended shape' }

const isShapeless = (name: Operation['name']) =>
  new Set(shapes.map((shape) => JSON.stringify(componentSchema(successSchemas[name][shape])))).size === 1

/** One schema where both shapes are the same; otherwise exactly one of the two matches. */
function successBody({ name }: Operation) {
  const variants = isShapeless(name) ? shapes.slice(0, 1) : shapes
  const schemas = variants.map(
    (shape): JsonSchema => ({
      ...(variants.length > 1 && { title: titles[shape] }),
      ...componentSchema(successSchemas[name][shape]),
    }),
  )
  const examples = variants.map((shape) => [
    shape,
    { summary: variants.length > 1 ? titles[shape] : 'Both shapes', value: exampleBody(name, shape) },
  ])
  const schema: JsonSchema = schemas.length > 1 ? { oneOf: schemas } : (schemas[0] ?? {})
  return { schema, examples: Object.fromEntries(examples) }
}

function successResponses(operation: Operation): Record<string, ResponseObject> {
  const kept = operation.method === 'GET' ? revalidated : noStore
  const headers = {
    ...kept,
    ...contentLanguage,
    ...requestIdHeader,
    ...rateLimit,
    ...(operation.publishable && crossOrigin),
    ...(operation.passes && passHeader),
  }
  const responses: Record<string, ResponseObject> = {
    200: { description: 'Success.', headers, content: { 'application/json': successBody(operation) } },
  }
  if (operation.method === 'GET') {
    responses[304] = {
      description: 'The response with the tag of `If-None-Match` is unchanged; no body.',
      headers,
    }
  }
  return responses
}

const describeKeys = ({ publishable }: Operation) =>
  publishable
    ? 'Also works with a publishable key, for purchases of the items that the key is bound to; from pages of any origin too (CORS).'
    : 'Needs a secret key.'

function operationObject(operation: Operation): OperationObject {
  return {
    operationId: operation.name,
    tags: [operation.path.split('/')[2] ?? ''],
    summary: operation.summary,
    description: `${operation.description} ${describeKeys(operation)}`,
    security: createSecurity(operation),
    parameters: listParameters(operation),
    ...(operation.method === 'POST' && { requestBody: createRequestBody(operation) }),
    responses: { ...successResponses(operation), ...failureResponses(operation) },
  }
}

const withoutBody = ({ description, headers }: ResponseObject): ResponseObject => ({ description, headers })

/** HEAD works wherever GET does, with the same status and headers. */
function toHead(get: OperationObject): OperationObject {
  const responses = Object.entries(get.responses).map(([status, response]) => [status, withoutBody(response)])
  return {
    ...get,
    operationId: `${get.operationId}Head`,
    summary: 'The status and headers of GET, without its body.',
    responses: Object.fromEntries(responses),
  }
}

function paths(): Record<string, PathItemObject> {
  const own = operationList.map((operation) => {
    const described = operationObject(operation)
    const item =
      operation.method === 'POST' ? { post: described } : { get: described, head: toHead(described) }
    return [operation.path, item] as const
  })
  const others = Object.entries({ '/.well-known/jwks.json': jwks, ...healthOperations }).map(
    ([path, get]) => [path, { get, head: toHead(get) }] as const,
  )
  return Object.fromEntries([...own, ['/admin/import', { post: adminImport }], ...others])
}

const description = `Every response of the four operations is a JSON object whose \`status\` is \`success\` or \`error\`.

Items and purchases come in two shapes, \`base\` and \`extended\`: the parameter \`shape\` chooses.

A failure has a message for people, in English or Portuguese, and its reason for machines in the header \`X-Error-Code\`. All strings
are well-formed Unicode without U+0000. Accept unknown fields: later versions may add some.`

/** The options of a document. */
export interface OpenApiOptions {
  /** The URL of the service, including its path prefix. */
  serverUrl: string
  /** The version of the service. */
  version: string
}

/**
 * The API as an OpenAPI 3.1 document, made from the operations. Each call gives a new object.
 *
 * @example
 * openApiDocument({ serverUrl: 'https://api.example.com', version: '1.0.0' }).paths['/api/items/all']
 */
export function openApiDocument({ serverUrl, version }: OpenApiOptions): OpenApiDocument {
  const url = serverUrl.replace(/\/+$/, '')
  // A copy: no caller can change what the next one gets.
  return structuredClone({
    openapi: '3.1.1',
    info: {
      title: 'Saleproof',
      version,
      summary: 'A marketplace API: the account of a seller, its items, and proof of a sale.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'All error codes', url: `${url}/docs/errors` },
    servers: [{ url }],
    tags: [
      { name: 'account', description: 'Account' },
      { name: 'items', description: 'Items' },
      { name: 'purchases', description: 'Purchases' },
      { name: 'admin', description: 'Administration' },
      { name: 'health', description: 'Health' },
    ],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      parameters: componentParameters,
      headers: componentHeaders,
      securitySchemes,
    },
  })
}
