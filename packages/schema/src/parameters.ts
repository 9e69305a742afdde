import * as v from 'valibot'
import { maxCredentialLength, shapes } from './constants.ts'
import { cleanPastedCode } from './pasted-code.ts'
import { ItemIdSchema } from './primitives.ts'
import { isStorable } from './records/rules.ts'
import type { ParameterName } from './routes.ts'

const fits = (value: string) =>
  value.length <= maxCredentialLength || [...value].length <= maxCredentialLength

const credentialSchema = (toForm: (text: string) => string) =>
  v.pipe(
    v.string('text'),
    v.transform(toForm),
    v.nonEmpty('not_empty'),
    v.check(fits, 'credential_length'),
    v.check(isStorable, 'well_formed'),
  )

/** The parameter `api_key`: trimmed, 1 to 255 characters, otherwise opaque. */
export const ApiKeyParameterSchema = credentialSchema((text) => text.trim())

/** The parameter `purchase_code`: brought into its one form, 1 to 255 characters, otherwise opaque and case-sensitive. */
export const PurchaseCodeParameterSchema = credentialSchema(cleanPastedCode)

/**
 * The parameter `item_id`: decimal digits without a leading zero (or that number), 1 to 2^53 - 1.
 *
 * @example
 * v.parse(ItemIdParameterSchema, '101') // 101
 */
export const ItemIdParameterSchema = v.pipe(
  v.union(
    [v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/, 'item_id'), v.transform(Number)), v.number()],
    'item_id',
  ),
  ItemIdSchema,
)

/**
 * The parameter `shape`, which every operation takes.
 *
 * @example
 * v.parse(ShapeSchema, 'extended') // 'extended'
 */
export const ShapeSchema = v.picklist(shapes, 'shape')

/**
 * The parameter `pass`: the ids of the signing keys that a client trusts, with commas between them. What is no id is left out, and
 * what comes after a hundred, because no database takes a list of any length: asking for a pass never makes a request fail.
 *
 * @example
 * v.parse(PassSchema, 'pNBYO_x9mXC8sTzF,0') // ['pNBYO_x9mXC8sTzF']
 */
export const PassSchema = v.pipe(
  v.string('text'),
  v.transform((text) => (text.match(/(?<![^\s,])[\w-]{16}(?![^\s,])/g) ?? []).slice(0, 100)),
)

/** The schema of each parameter, by name. */
export const parameterSchemas = {
  api_key: ApiKeyParameterSchema,
  item_id: ItemIdParameterSchema,
  purchase_code: PurchaseCodeParameterSchema,
  shape: ShapeSchema,
  pass: PassSchema,
} as const satisfies Record<ParameterName, v.GenericSchema>
