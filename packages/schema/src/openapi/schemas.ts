import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema'
import type { BaseIssue, BaseSchema } from 'valibot'
import { maxCredentialLength } from '../constants.ts'
import {
  AmountSchema,
  CurrencySchema,
  ItemIdSchema,
  LinkSchema,
  OptionalLinkSchema,
  PriceSchema,
  TimestampSchema,
  VersionSchema,
} from '../primitives.ts'
import { AccountSchema, ItemSchemas, PurchaseSchemas } from '../records/schemas.ts'
import { FailureBodySchema } from '../responses.ts'
import { descriptions } from './descriptions.ts'

type AnySchema = BaseSchema<unknown, unknown, BaseIssue<unknown>>

const records = {
  Account: AccountSchema,
  ItemBase: ItemSchemas.base,
  ItemExtended: ItemSchemas.extended,
  PurchaseBase: PurchaseSchemas.base,
  PurchaseExtended: PurchaseSchemas.extended,
  Failure: FailureBodySchema,
}

const primitives = {
  Amount: AmountSchema,
  Currency: CurrencySchema,
  ItemId: ItemIdSchema,
  Link: LinkSchema,
  OptionalLink: OptionalLinkSchema,
  Price: PriceSchema,
  Timestamp: TimestampSchema,
  Version: VersionSchema,
}

const named: Record<string, AnySchema> = { ...records, ...primitives }

/** The names of the records that have a schema of their own. */
export type RecordName = keyof typeof records

const itemSchemas: readonly unknown[] = Object.values(ItemSchemas)

/**
 * Responses have exactly the named fields, though clients should accept more. A list of items is never empty: that is the error
 * `no_items`.
 */
const asSent: ConversionConfig['overrideSchema'] = ({ valibotSchema, jsonSchema }) => {
  if (valibotSchema.type === 'object') return { ...jsonSchema, additionalProperties: false }
  if (valibotSchema.type === 'literal') return { type: 'string', ...jsonSchema }
  const ofItems = 'item' in valibotSchema && itemSchemas.includes(valibotSchema.item)
  return ofItems ? { ...jsonSchema, minItems: 1 } : undefined
}

/**
 * JSON Schema has a word for one check alone: `maxLength` counts code points, as the limit of credentials does. It has none for
 * well-formedness and for what the URL parser takes.
 */
const overrideAction: ConversionConfig['overrideAction'] = ({ valibotAction, jsonSchema }) => {
  if (valibotAction.type !== 'check') return undefined
  const isLength = 'message' in valibotAction && valibotAction.message === 'credential_length'
  return { ...jsonSchema, ...(isLength && { maxLength: maxCredentialLength }) }
}

const config = (prefix: string): ConversionConfig => ({
  target: 'draft-2020-12',
  ignoreActions: ['finite', 'transform'],
  overrideAction,
  overrideSchema: asSent,
  overrideRef: ({ referenceId }) => `${prefix}${referenceId}`,
})

const formats: Readonly<Record<string, JsonSchema>> = {
  ItemId: { format: 'int64' },
  Timestamp: { format: 'date-time' },
}

function withDescriptions(schema: JsonSchema, path: string): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    typeof property === 'object' ? withDescriptions(property, `${path}.${name}`) : property,
  ])
  const description = descriptions[path]
  return {
    ...(description !== undefined && { description }),
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}

function namedSchemas(prefix: string): Record<string, JsonSchema> {
  const converted = Object.entries(toJsonSchemaDefs(named, config(prefix)))
  return Object.fromEntries(
    converted.map(([name, schema]) => [name, withDescriptions({ ...schema, ...formats[name] }, name)]),
  )
}

const componentPrefix = '#/components/schemas/'

/** Every named schema, for `components.schemas`. */
export const componentSchemas = (): Record<string, JsonSchema> => namedSchemas(componentPrefix)

/** A schema that refers to the named ones in `components.schemas`. */
export function componentSchema(schema: AnySchema): JsonSchema {
  const { $defs, $schema, ...own } = toJsonSchema(schema, { ...config(componentPrefix), definitions: named })
  return own
}

export const schemaReference = (name: keyof typeof primitives | RecordName) => ({
  $ref: `${componentPrefix}${name}`,
})

/** The names of the schemas that a schema refers to, directly or not. */
function referred(schema: JsonSchema, all: Record<string, JsonSchema>, found = new Set<string>()) {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    referred(all[name] ?? {}, all, found)
  }
  return found
}

/**
 * The JSON Schemas (draft 2020-12) of what the API sends: an account, an item and a purchase in both shapes, and the body of
 * a failure. Each is complete by itself and takes exactly the fields that are sent.
 *
 * @example
 * jsonSchemas().ItemBase.required // ['id', 'name', …]
 */
export function jsonSchemas(): Record<RecordName, JsonSchema> {
  const all = namedSchemas('#/$defs/')
  const standalone = (name: RecordName): JsonSchema => {
    const schema = all[name] ?? {}
    const $defs = Object.fromEntries([...referred(schema, all)].map((part) => [part, all[part] ?? {}]))
    const needed = Object.keys($defs).length > 0 ? { $defs } : {}
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...schema, ...needed }
  }
  return {
    Account: standalone('Account'),
    ItemBase: standalone('ItemBase'),
    ItemExtended: standalone('ItemExtended'),
    PurchaseBase: standalone('PurchaseBase'),
    PurchaseExtended: standalone('PurchaseExtended'),
    Failure: standalone('Failure'),
  }
}
