import * as v from 'valibot'
import type { ActivityAction } from './constants.ts'

/** An endpoint of the console as it is written down: all of it but its handler. */
interface EndpointDefinition {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/console/api`; `:slug` is of a workspace, `:id` of a key, an item or a session. */
  path: string
  /** The fields of the query of a `GET` or of records, or of the JSON body of any other. */
  request?: v.ObjectEntries
  /** What its body holds as NDJSON, where that is no JSON object. */
  records?: unknown
  /** The choices on the first line of its body, as JSON, where a file follows them. */
  file?: unknown
  /** The body of a success; without one it is a 204. */
  response?: unknown
  /** What it records in the activity log. */
  activity?: readonly ActivityAction[]
  /** Whether it needs no session. */
  public?: true
  /** Whether its queries may read many rows: an owner runs a few of them at a time, so that other owners do not wait for all of them. */
  queued?: true
}

/** Any endpoint of the console. */
export interface ConsoleEndpoint extends Omit<EndpointDefinition, 'request'> {
  request: v.StrictObjectSchema<v.ObjectEntries, undefined>
}

type Fields<Definition> = Definition extends { request: infer Given extends v.ObjectEntries }
  ? Given
  : Record<never, never>

type Endpoint<Definition> = Omit<Definition, 'request' | 'response'> & {
  request: v.StrictObjectSchema<Fields<Definition>, undefined>
  response: Definition extends { response: infer Body } ? Body : undefined
}

/** Makes an endpoint, whose types are all derived from its definition. */
export const defineEndpoint = <const Definition extends EndpointDefinition>(
  definition: Definition,
  // The compiler does not follow that no fields are those of a definition without any.
): Endpoint<Definition> => ({ ...definition, request: v.strictObject(definition.request ?? {}) }) as never

/** The type of a body. Only its type counts. */
export const body = <T>(): T => ({}) as T
