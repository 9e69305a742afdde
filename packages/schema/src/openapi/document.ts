import type { JsonSchema } from '@valibot/to-json-schema'
import { type Shape, shapes } from '../constants.ts'
import { type Operation, operationList } from '../operations.ts'
import { successSchemas } from '../responses.ts'
import { exampleBody } from './examples.ts'
import { failureResponses } from './failures.ts'
import {
  componentHeaders,
  contentLanguage,
  noStore,
  rateLimit,
  requestIdHeader,
  revalidated,
} from './headers.ts'
import { healthOperations } from './health.ts'
import { componentParameters, parametersOf, requestBodyOf, securityOf, securitySchemes } from './requests.ts'
import { componentSchema, componentSchemas } from './schemas.ts'
import type { OpenApiDocument, OperationObject, PathItemObject, ResponseObject } from './types.ts'

const titles: Record<Shape, string> = { base: 'Base shape', extended: 'Extended shape' }

const isOneForm = (name: Operation['name']) =>
  new Set(shapes.map((shape) => JSON.stringify(componentSchema(successSchemas[name][shape])))).size === 1

/** Where both shapes are the same it is one form; otherwise exactly one of them fits. */
function successBody({ name }: Operation) {
  const forms = isOneForm(name) ? shapes.slice(0, 1) : shapes
  const schemas = forms.map(
    (shape): JsonSchema => ({
      ...(forms.length > 1 && { title: titles[shape] }),
      ...componentSchema(successSchemas[name][shape]),
    }),
  )
  const examples = forms.map((shape) => [
    shape,
    { summary: forms.length > 1 ? titles[shape] : 'Both shapes', value: exampleBody(name, shape) },
  ])
  const schema: JsonSchema = schemas.length > 1 ? { oneOf: schemas } : (schemas[0] ?? {})
  return { schema, examples: Object.fromEntries(examples) }
}

function successResponses(operation: Operation): Record<string, ResponseObject> {
  const kept = operation.method === 'GET' ? revalidated : noStore
  const headers = { ...kept, ...contentLanguage, ...requestIdHeader, ...rateLimit }
  const responses: Record<string, ResponseObject> = {
    200: { description: 'Success.', headers, content: { 'application/json': successBody(operation) } },
  }
  if (operation.method === 'GET') {
    responses[304] = { description: 'What `If-None-Match` names is unchanged; no body.', headers }
  }
  return responses
}

const describe = ({ publishable }: Operation) =>
  publishable
    ? 'A publishable key may use it too, for purchases of the items that it is bound to.'
    : 'Needs a secret key.'

function operationObject(operation: Operation): OperationObject {
  return {
    operationId: operation.name,
    tags: [operation.path.split('/')[2] ?? ''],
    summary: operation.summary,
    description: describe(operation),
    security: securityOf(operation),
    parameters: parametersOf(operation),
    ...(operation.method === 'POST' && { requestBody: requestBodyOf(operation) }),
    responses: { ...successResponses(operation), ...failureResponses(operation) },
  }
}

const withoutBody = ({ description, headers }: ResponseObject): ResponseObject => ({ description, headers })

/** HEAD is answered wherever GET is: the same status and headers. */
function headOf(get: OperationObject): OperationObject {
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
      operation.method === 'POST' ? { post: described } : { get: described, head: headOf(described) }
    return [operation.path, item] as const
  })
  const health = Object.entries(healthOperations).map(
    ([path, get]) => [path, { get, head: headOf(get) }] as const,
  )
  return Object.fromEntries([...own, ...health])
}

const description = `Every answer of the four operations is a JSON object whose \`status\` is \`success\` or \`error\`.

Items and purchases come in two shapes, \`base\` and \`extended\`: the parameter \`shape\` chooses.

A failure has a message for people, in English or Portuguese, and its reason for machines in the header \`X-Error-Code\`. All strings
are well-formed Unicode without U+0000. Take members that you do not know: later versions may add some.`

/** What a document is made for. */
export interface OpenApiOptions {
  /** Where callers reach the service, its path prefix included; a slash at its end is cut off. */
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
      { name: 'account', description: 'The seller' },
      { name: 'items', description: 'What is sold' },
      { name: 'purchases', description: 'What was sold' },
      { name: 'health', description: 'Whether the service works' },
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
