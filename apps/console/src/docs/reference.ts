import type {
  HeaderObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference as Ref,
} from '@saleproof/schema/openapi'

type Schema = HeaderObject['schema']
type Place = 'query' | 'header' | 'body'

export interface Parameter {
  name: string
  places: readonly Place[]
  /** Such as `integer`, or the values that it takes. */
  type: string
  required: boolean
  text: string
}

export interface ResponseCase {
  status: number
  text: string
  /** The reasons of a failure; a response without any is described by its status. */
  codes: readonly string[]
  headers: readonly string[]
  /** By name: `base` and `extended` where the shapes differ. */
  examples: readonly { name: string; value: unknown }[]
}

/** An operation of the OpenAPI document, as the page shows it. Its texts are in English. */
export interface Operation {
  id: string
  tag: string
  method: 'GET' | 'POST'
  path: string
  title: string
  text: string
  credential: 'key' | 'token' | 'none'
  parameters: readonly Parameter[]
  /** Lines that the body consists of, where it has no fields. */
  exampleBody: string | undefined
  responses: readonly ResponseCase[]
  /** What its errors mean, by their codes. */
  errors: Readonly<Record<string, string>>
}

export interface Reference {
  version: string
  baseUrl: string
  tags: readonly { name: string; text: string }[]
  operations: readonly Operation[]
  /** What the headers of requests and responses mean, by their names. */
  requestHeaders: Readonly<Record<string, string>>
  responseHeaders: Readonly<Record<string, string>>
}

const nameIn = ({ $ref }: Ref) => $ref.split('/').at(-1) ?? ''

function resolveSchema(schema: Schema, { components }: OpenApiDocument): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn({ $ref: schema.$ref })] ?? {})
}

function describeType(given: Schema, document: OpenApiDocument): string {
  const { enum: values, type } = resolveSchema(given, document)
  return [values ?? type].flat().join(' | ')
}

function resolveParameter(parameter: ParameterObject | Ref, { components }: OpenApiDocument) {
  return '$ref' in parameter ? components.parameters[nameIn(parameter)] : parameter
}

/** The fields of a body, whatever its type; undefined if it has none. */
const readBody = ({ requestBody }: OperationObject) => Object.values(requestBody?.content ?? {})[0]

/** One parameter may be in the query and in the body. */
function readParameters(object: OperationObject, document: OpenApiDocument): Parameter[] {
  const outside = object.parameters.flatMap((each) => resolveParameter(each, document) ?? [])
  const schema = readBody(object)?.schema
  const inBody = Object.entries(schema?.properties ?? {}).flatMap(([name, property]) =>
    typeof property === 'object'
      ? {
          name,
          in: 'body' as const,
          schema: property,
          required: schema?.required?.includes(name) ?? false,
          description: property.description ?? '',
        }
      : [],
  )
  const byName = new Map<string, Parameter>()
  for (const { name, in: place, schema, required, description } of [...inBody, ...outside]) {
    const known = byName.get(name)
    byName.set(name, {
      name,
      places: [...(known?.places ?? []), place],
      type: describeType(schema, document),
      required: required || known?.required === true,
      text: known?.text || description,
    })
  }
  return [...byName.values()]
}

/** Two components describe the header `Cache-Control`. */
const headerName = (name: string) => (name === 'No-Store' ? 'Cache-Control' : name)

function readResponses({ responses }: OperationObject): ResponseCase[] {
  return Object.entries(responses).map(([status, { headers, content, description }]) => {
    const code = headers['X-Error-Code']
    const examples = Object.entries(content?.['application/json']?.examples ?? {})
    return {
      status: Number(status),
      text: description,
      codes: code && 'schema' in code ? (code.schema.enum ?? []).map(String) : [],
      headers: Object.keys(headers),
      examples: examples.map(([name, { value }]) => ({ name, value })),
    }
  })
}

/** A failure describes each of its codes on a line. */
const readErrors = ({ responses }: OperationObject) =>
  Object.fromEntries(
    Object.values(responses).flatMap(({ description }) =>
      Array.from(description.matchAll(/^- `(\w+)`: (.+)$/gm), ([, code = '', text = '']) => [code, text]),
    ),
  )

function readCredential({ security }: OperationObject): Operation['credential'] {
  if (security.length === 0) return 'none'
  return security.some((scheme) => 'admin' in scheme) ? 'token' : 'key'
}

function readExampleBody(object: OperationObject): string | undefined {
  const value = Object.values(readBody(object)?.examples ?? {})[0]?.value
  return typeof value === 'string' ? value : undefined
}

function readOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, { get, post }]) =>
    [
      { method: 'GET' as const, object: get },
      { method: 'POST' as const, object: post },
    ].flatMap(({ method, object }) =>
      object
        ? [
            {
              id: object.operationId,
              tag: object.tags[0] ?? '',
              method,
              path,
              title: object.summary,
              text: object.description,
              credential: readCredential(object),
              parameters: readParameters(object, document),
              exampleBody: readExampleBody(object),
              responses: readResponses(object),
              errors: readErrors(object),
            },
          ]
        : [],
    ),
  )
}

/** The headers that components describe, and those that responses describe themselves. */
function readResponseHeaders({ components, paths }: OpenApiDocument): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, { description }] of Object.entries(components.headers))
    texts[headerName(name)] = [texts[headerName(name)], description].filter(Boolean).join(' ')
  const responses = Object.values(paths).flatMap(({ get, post }) =>
    Object.values({ ...get?.responses, ...post?.responses }),
  )
  for (const [name, header] of responses.flatMap(({ headers }) => Object.entries(headers)))
    if ('description' in header) texts[name] ??= header.description
  return texts
}

/** What the page shows of an OpenAPI document. HEAD is left out: it is said once of every GET. */
export function readReference(document: OpenApiDocument): Reference {
  const operations = readOperations(document)
  const inHeaders = operations.flatMap(({ parameters }) =>
    parameters.filter(({ places }) => places.includes('header')),
  )
  return {
    version: document.info.version,
    baseUrl: document.servers[0]?.url ?? '',
    tags: document.tags.map(({ name, description }) => ({ name, text: description })),
    operations,
    requestHeaders: Object.fromEntries(inHeaders.map(({ name, text }) => [name, text])),
    responseHeaders: readResponseHeaders(document),
  }
}
