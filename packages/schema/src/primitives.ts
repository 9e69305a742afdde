import * as v from 'valibot'

/** A string that every database and every JSON reader takes: well-formed Unicode without U+0000. */
export const TextSchema = v.pipe(
  v.string('text'),
  v.check((value) => value.isWellFormed() && !value.includes('\0'), 'well_formed'),
)

/** An absolute http(s) URL. */
export const LinkSchema = v.pipe(
  TextSchema,
  // Without the flag `i`: JSON Schema, which is made from this, knows no flags.
  v.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]/, 'link'),
  v.check((value) => URL.canParse(value), 'link'),
)

/** An absolute http(s) URL, or `""`. */
export const OptionalLinkSchema = v.union([v.literal(''), LinkSchema], 'link')

/** A moment as an answer writes it: `YYYY-MM-DDTHH:mm:ssZ`, UTC. */
export const TimestampSchema = v.pipe(
  v.string('timestamp'),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'timestamp'),
)

/** The code of a currency, three capital letters. */
export const CurrencySchema = v.pipe(v.string('currency'), v.regex(/^[A-Z]{3}$/, 'currency'))

/** An amount in whole units of its currency. */
export const AmountSchema = v.pipe(v.number('amount'), v.finite('amount'))

/** A price: an amount that is not negative. */
export const PriceSchema = v.pipe(AmountSchema, v.minValue(0, 'amount_negative'))

/** An item's own version: three numbers with dots between them. */
export const VersionSchema = v.pipe(v.string('version'), v.regex(/^\d+\.\d+\.\d+$/, 'version'))

/** An item's id: 1 to 2^53 - 1. */
export const ItemIdSchema = v.pipe(v.number('item_id'), v.safeInteger('item_id'), v.minValue(1, 'item_id'))
