import * as v from 'valibot'
import {
  AmountSchema,
  CurrencySchema,
  ItemIdSchema,
  LinkSchema,
  OptionalLinkSchema,
  PriceSchema,
  TextSchema,
  TimestampSchema,
  VersionSchema,
} from '../primitives.ts'
import { type Account, accountFields } from './account.ts'
import { build, type Fields, type FieldValues, type View, type Viewed } from './fields.ts'
import { type ItemBase, type ItemExtended, type ItemSummary, itemFields } from './item.ts'
import { type PurchaseBase, type PurchaseExtended, purchaseFields } from './purchase.ts'

/** The schema of each type of field in a response. */
export const responseSchemas: { [Type in keyof FieldValues]: v.GenericSchema<FieldValues[Type]> } = {
  text: TextSchema,
  nonempty_text: TextSchema,
  username: TextSchema,
  email: TextSchema,
  purchase_code: TextSchema,
  texts: v.array(TextSchema),
  link: LinkSchema,
  optional_link: OptionalLinkSchema,
  links: v.array(LinkSchema),
  link_map: v.record(v.string(), LinkSchema),
  item_id: ItemIdSchema,
  version: VersionSchema,
  currency: CurrencySchema,
  amount: AmountSchema,
  price: PriceSchema,
  timestamp: TimestampSchema,
  boolean: v.boolean('boolean'),
}

/** Lists that a view shows only where they are not empty. */
const nonEmptySchemas: Readonly<Record<string, v.GenericSchema>> = {
  texts: v.pipe(responseSchemas.texts, v.nonEmpty('not_empty')),
  links: v.pipe(responseSchemas.links, v.nonEmpty('not_empty')),
}

/**
 * The schema of what a view shows of a record. Added fields are taken and left out of the result. `item` is the schema of the
 * field of the type `item`.
 */
function viewSchema<const F extends Fields, V extends View, Item = never>(
  fields: F,
  view: V,
  item?: v.GenericSchema<Item>,
): v.GenericSchema<Viewed<F, V, Item>> {
  const schemas: Readonly<Record<string, v.GenericSchema | undefined>> = { ...responseSchemas, item }
  const entries = build<v.GenericSchema>(
    fields,
    ({ type, shown }) => {
      const condition = shown[view]
      const schema = (condition === 'not_empty' && nonEmptySchemas[type]) || schemas[type]
      if (!condition || !schema) return undefined
      return condition === 'always' ? schema : v.exactOptional(schema)
    },
    v.object,
  )
  // As in `present`; `types.test.ts` compares the types with the interfaces that are written out.
  return v.object(entries) as unknown as v.GenericSchema<Viewed<F, V, Item>>
}

/**
 * The `data` of the account operation. Added fields are taken and left out of the result.
 *
 * @example
 * v.parse(AccountSchema, body.data).username
 */
export const AccountSchema: v.GenericSchema<Account> = viewSchema(accountFields, 'base')

/** An item in the base shape. Added fields are taken and left out of the result. */
export const ItemBaseSchema: v.GenericSchema<ItemBase> = viewSchema(itemFields, 'base')

/** An item in the extended shape. Added fields are taken and left out of the result. */
export const ItemExtendedSchema: v.GenericSchema<ItemExtended> = viewSchema(itemFields, 'extended')

/**
 * The schema of an item, by shape.
 *
 * @example
 * v.parse(ItemSchemas.base, body.item).media.screenshots
 */
export const ItemSchemas = { base: ItemBaseSchema, extended: ItemExtendedSchema } as const

const ItemSummarySchema: v.GenericSchema<ItemSummary> = viewSchema(itemFields, 'summary')

/** A purchase in the base shape. Added fields are taken and left out of the result. */
export const PurchaseBaseSchema: v.GenericSchema<PurchaseBase> = viewSchema(
  purchaseFields,
  'base',
  ItemSummarySchema,
)

/** A purchase in the extended shape. Added fields are taken and left out of the result. */
export const PurchaseExtendedSchema: v.GenericSchema<PurchaseExtended> = viewSchema(
  purchaseFields,
  'extended',
  ItemExtendedSchema,
)

/**
 * The schema of a purchase, by shape.
 *
 * @example
 * v.parse(PurchaseSchemas.extended, body.data.purchase).supported_until
 */
export const PurchaseSchemas = { base: PurchaseBaseSchema, extended: PurchaseExtendedSchema } as const
