/** What the members mean, by schema and path. Members whose names say it all have none. */
export const descriptions: Readonly<Record<string, string>> = {
  Account: 'The seller who owns the workspace of the key. The same in both shapes.',
  'Account.balance': 'In whole units of `currency`, exact to its minor unit; may be negative.',
  'Account.profile.social_links':
    'Links by the name of a network, in the order they were given in. The names are open.',
  Amount: 'In whole units of its currency, exact to its minor unit, such as 19.99.',
  Currency: 'ISO 4217.',
  Failure: 'The body of every failure. The reason for machines is in the header `X-Error-Code`.',
  'Failure.msg': 'For a person to read, in the language of `Content-Language`.',
  ItemBase: 'An item in the base shape.',
  'ItemBase.media.screenshots': 'Empty where there are none.',
  'ItemBase.price': 'What the item costs for each license type, in `currency`.',
  ItemExtended: 'An item in the extended shape.',
  'ItemExtended.media.preview_audio': 'Only for audio items.',
  'ItemExtended.media.preview_image': 'Not for audio items.',
  'ItemExtended.media.preview_video': 'Only for video items.',
  'ItemExtended.media.screenshots': 'Only where there are some.',
  'ItemExtended.price': 'What the item costs for each license type, in `currency`.',
  ItemId: 'Unique in the whole deployment.',
  Link: 'An absolute http(s) URL.',
  OptionalLink: 'An absolute http(s) URL, or empty.',
  Price: 'In whole units of its currency, exact to its minor unit, such as 19.99; not negative.',
  PurchaseBase: 'A purchase in the base shape.',
  'PurchaseBase.downloaded': 'Whether the purchase has been downloaded.',
  'PurchaseBase.license_type': '`Regular`, `Extended` or another name.',
  'PurchaseBase.price': 'What was paid, in `currency`.',
  'PurchaseBase.purchase_code':
    'As it is stored: a code pasted with other dashes or invisible characters comes back clean.',
  PurchaseExtended: 'A purchase in the extended shape.',
  'PurchaseExtended.downloaded': 'Whether the purchase has been downloaded.',
  'PurchaseExtended.license_type': '`Regular`, `Extended` or another name.',
  'PurchaseExtended.purchase_code':
    'As it is stored: a code pasted with other dashes or invisible characters comes back clean.',
  'PurchaseExtended.supported_until':
    'Only where the item offers support and this purchase has it; also after it has passed.',
  Timestamp: 'UTC, without fractions of a second.',
  Version: 'Major, minor and patch.',
}
