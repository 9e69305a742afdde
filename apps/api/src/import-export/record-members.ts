import {
  CurrencySchema,
  ItemIdSchema,
  LinkSchema,
  maxCredentialLength,
  OptionalLinkSchema,
  parseTimestamp,
  TextSchema,
} from '@saleproof/schema'
import { EmailSchema, PasswordSchema, SlugSchema, SocialLinksSchema } from '@saleproof/schema/console'
import * as v from 'valibot'
import { sqliteDateTime } from '../db/sqlite-datetime.ts'

/** An ISO 8601 date and time with any offset; becomes the text that the database holds. */
export const MomentSchema = v.pipe(
  v.string('timestamp'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const date = parseTimestamp(dataset.value)
    if (date) return sqliteDateTime(date)
    addIssue({ message: 'timestamp' })
    return NEVER
  }),
)

/** An amount as it is written; its currency decides later what it may be. */
export const WrittenAmountSchema = v.union([v.number(), v.string()], 'amount')

export const UsernameSchema = v.pipe(TextSchema, v.regex(/^[^\s\p{Cc}\p{Cf}]{1,64}$/u, 'username'))

const phc =
  /^\$argon2id\$v=19\$m=[1-9]\d{0,6},t=[1-9]\d{0,2},p=[1-9]\d{0,2}\$[A-Za-z0-9+/]{11,128}\$[A-Za-z0-9+/]{16,128}$/

export const PasswordHashSchema = v.pipe(v.string('text'), v.regex(phc, 'password_hash'))

/** A key as it may be imported: kept and found as it is. */
export const ApiKeySchema = v.pipe(v.string('text'), v.regex(/^[\x21-\x7e]{16,255}$/, 'key_form'))

const fits = (value: string) =>
  value.length <= maxCredentialLength || [...value].length <= maxCredentialLength

/** A request's code is trimmed, so a stored code with outer white space would never be found. */
export const PurchaseCodeSchema = v.pipe(
  TextSchema,
  v.nonEmpty('not_empty'),
  v.check((value) => value === value.trim(), 'outer_space'),
  v.check(fits, 'credential_length'),
)

export const texts = v.array(TextSchema, 'list')
export const links = v.array(LinkSchema, 'list')
export const itemIds = v.array(ItemIdSchema, 'list')
export const boolean = v.boolean('boolean')
export {
  CurrencySchema,
  EmailSchema,
  ItemIdSchema,
  LinkSchema,
  OptionalLinkSchema,
  PasswordSchema,
  SlugSchema,
  SocialLinksSchema,
  TextSchema,
}
