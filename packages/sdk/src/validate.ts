import type { Call } from './calls.ts'
import type { StandardSchema, Validate } from './types.ts'

/** Whether a value passes a schema. One that fails says nothing about the network: it is no outage. */
async function passes(schema: StandardSchema, value: unknown): Promise<boolean> {
  try {
    const result = Object(await schema['~standard'].validate(value))
    return 'value' in result && !result.issues
  } catch {
    return false
  }
}

/** A call whose values pass the schema for it, if there is one. */
export function withSchema(call: Call, schemas: Validate): Call {
  const schema = schemas[call.name]
  if (!schema) return call
  return {
    ...call,
    async read(...parameters) {
      const value = await call.read(...parameters)
      const isRecord = value && typeof value !== 'string'
      return isRecord ? (await passes(schema, value)) && value : value
    },
  }
}
