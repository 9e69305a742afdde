export { type OpenApiOptions, openApiDocument } from './document.ts'
export { jsonSchemas, type RecordName } from './schemas.ts'
export type {
  ExampleObject,
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  Reference,
  ResponseObject,
} from './types.ts'
