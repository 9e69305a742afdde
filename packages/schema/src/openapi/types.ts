import type { JsonSchema } from '@valibot/to-json-schema'

/** A `$ref` to a part of the document that is written once. */
export interface Reference {
  $ref: string
}

/** A response header as OpenAPI 3.1 describes it. */
export interface HeaderObject {
  description: string
  required: boolean
  schema: JsonSchema
  example?: string | number
}

/** A request parameter in the query or a header. */
export interface ParameterObject {
  name: string
  in: 'query' | 'header'
  description: string
  required: boolean
  schema: JsonSchema
  example?: string | number
}

/** A named example of a body. */
export interface ExampleObject {
  summary: string
  value: unknown
}

/** A body of one media type. */
export interface MediaTypeObject {
  schema: JsonSchema
  examples: Record<string, ExampleObject>
}

/** The response of one status. */
export interface ResponseObject {
  description: string
  headers: Record<string, HeaderObject | Reference>
  content?: Record<string, MediaTypeObject>
}

/** One method of one path. */
export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: (ParameterObject | Reference)[]
  requestBody?: { description: string; required: boolean; content: Record<string, MediaTypeObject> }
  responses: Record<string, ResponseObject>
}

/** The methods of one path. */
export type PathItemObject = Partial<Record<'get' | 'head' | 'post', OperationObject>>

/** An OpenAPI 3.1 document, as far as this API needs one. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  externalDocs: { description: string; url: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItemObject>
  components: {
    schemas: Record<string, JsonSchema>
    parameters: Record<string, ParameterObject>
    headers: Record<string, HeaderObject>
    securitySchemes: Record<string, Record<string, string>>
  }
}
