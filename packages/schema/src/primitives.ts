import * as v from 'valibot'
import { isStorable, patterns } from './records/rules.ts'

/** A string that every database and every JSON reader takes. */
export const TextSchema = v.pipe(v.string('text'), v.check(isStorable, 'well_formed'))

/** An absolute http(s) URL. */
export const LinkSchema = v.pipe(
  TextSchema,
  v.regex(patterns.link, 'link'),
  v.check((value) => URL.canParse(value), 'link'),
)

/** An absolute http(s) URL, or `""`. */
export const OptionalLinkSchema = v.union([v.literal(''), LinkSchema], 'link')

/** A timestamp as a response writes it: `YYYY-MM-DDTHH:mm:ssZ`, UTC. */
export const TimestampSchema = v.pipe(v.string('timestamp'), v.regex(patterns.timestamp, 'timestamp'))

/** The code of a currency, three capital letters. */
export const CurrencySchema = v.pipe(v.string('currency'), v.regex(patterns.currency, 'currency'))

/** An amount in whole units of its currency. */
export const AmountSchema = v.pipe(v.number('amount'), v.finite('amount'))

/** A price: an amount that is not negative. */
export const PriceSchema = v.pipe(AmountSchema, v.minValue(0, 'amount_negative'))

/** An item's own version: three numbers with dots between them. */
export const VersionSchema = v.pipe(v.string('version'), v.regex(patterns.version, 'version'))

/** An item's id: 1 to 2^53 - 1. */
export const ItemIdSchema = v.pipe(v.number('item_id'), v.safeInteger('item_id'), v.minValue(1, 'item_id'))
