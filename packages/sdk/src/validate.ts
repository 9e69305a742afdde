import { type Call, calls } from './calls.ts'
import { isFunction, isObject, type Rule } from './options.ts'
import type { StandardSchema } from './types.ts'

/** Whether a value is a schema for each of some calls. */
export const areSchemas: Rule = (value) =>
  isObject(value) &&
  Object.entries(Object(value)).every(
    ([name, schema]) =>
      Object.hasOwn(calls, name) &&
      (schema === undefined || isFunction(Object(schema)['~standard']?.validate)),
  )

/** A call whose values pass a schema. One that fails says nothing about the network: it is no outage. */
export function withSchema(call: Call, schema: StandardSchema | undefined): Call {
  if (!schema) return call
  return {
    ...call,
    async read(...parameters) {
      const value = await call.read(...parameters)
      try {
        const result = Object(await schema['~standard'].validate(value))
        return 'value' in result && !result.issues && value
      } catch {}
    },
  }
}
