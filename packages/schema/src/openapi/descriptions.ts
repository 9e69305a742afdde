import { accountDescriptions, accountFields } from '../records/account.ts'
import { type ConditionParts, conditions, type Fields, fieldList, type View } from '../records/fields.ts'
import { itemDescriptions, itemFields } from '../records/item.ts'
import { purchaseDescriptions, purchaseFields } from '../records/purchase.ts'

/** What is said of the fields that a view shows, by schema and path. A condition says more than the field itself. */
function describe(schema: string, fields: Fields, view: View, texts: Readonly<Record<string, string>>) {
  const conditional = fieldList(fields).flatMap(({ path, field }) => {
    const { description }: ConditionParts = conditions[field.shown[view] ?? 'always']
    return description ? [[`${schema}.${path}`, description]] : []
  })
  const hidden = new Set(fieldList(fields).flatMap(({ path, field }) => (field.shown[view] ? [] : [path])))
  const own = Object.entries(texts).filter(([path]) => !hidden.has(path))
  return Object.fromEntries([...own.map(([path, text]) => [`${schema}.${path}`, text]), ...conditional])
}

/** What schemas and their fields mean, by schema and path. A field whose name says it all has none. */
export const descriptions: Readonly<Record<string, string>> = {
  Account: 'The seller who owns the workspace of the key. The same in both shapes.',
  Amount: 'In whole units of its currency, exact to its minor unit, such as 19.99.',
  Currency: 'ISO 4217.',
  Failure: 'The body of every failure. The reason for machines is in the header `X-Error-Code`.',
  'Failure.msg': 'For a person to read, in the language of `Content-Language`.',
  ItemBase: 'An item in the base shape.',
  ItemExtended: 'An item in the extended shape.',
  ItemId: 'Unique in the whole deployment.',
  Link: 'An absolute http(s) URL.',
  OptionalLink: 'An absolute http(s) URL, or empty.',
  Price: 'In whole units of its currency, exact to its minor unit, such as 19.99; not negative.',
  PurchaseBase: 'A purchase in the base shape.',
  PurchaseExtended: 'A purchase in the extended shape.',
  Timestamp: 'UTC, without fractions of a second.',
  Version: 'Major, minor and patch.',
  ...describe('Account', accountFields, 'base', accountDescriptions),
  ...describe('ItemBase', itemFields, 'base', itemDescriptions),
  ...describe('ItemExtended', itemFields, 'extended', itemDescriptions),
  ...describe('PurchaseBase', purchaseFields, 'base', purchaseDescriptions),
  ...describe('PurchaseExtended', purchaseFields, 'extended', purchaseDescriptions),
}
