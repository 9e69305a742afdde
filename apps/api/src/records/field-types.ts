import {
  CurrencySchema,
  ItemIdSchema,
  itemKinds,
  LinkSchema,
  locales,
  OptionalLinkSchema,
  PurchaseCodeParameterSchema,
  parseTimestamp,
  purchaseStates,
  ShapeSchema,
  TextSchema,
  VersionSchema,
} from '@saleproof/schema'
import { EmailSchema, PasswordSchema, SlugSchema, SocialLinksSchema } from '@saleproof/schema/console'
import type { FieldType } from '@saleproof/schema/records'
import * as v from 'valibot'
import type { Storage } from './codecs.ts'

/** An ISO 8601 date and time with any offset; becomes milliseconds since 1970. */
const StoredTimestampSchema = v.pipe(
  v.string('timestamp'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const date = parseTimestamp(dataset.value)
    if (date) return date.getTime()
    addIssue({ message: 'timestamp' })
    return NEVER
  }),
)

/** An amount as it is written. The currency of the record decides later what it may be. */
const WrittenAmountSchema = v.union([v.number(), v.string()], 'amount')

/** Each id once and in order, so that lists which mean the same are the same text. */
const ItemIdsSchema = v.pipe(
  v.array(ItemIdSchema, 'list'),
  v.transform((ids) => [...new Set(ids)].sort((a, b) => a - b)),
)

const UsernameSchema = v.pipe(TextSchema, v.regex(/^[^\s\p{Cc}\p{Cf}]{1,64}$/u, 'username'))

/** A text that may be empty, which is none: a form and a spreadsheet have no other word for that. */
const optionalText = (max: number, tooLong: 'credential_length' | 'note_length') =>
  v.pipe(
    TextSchema,
    v.transform((text) => text.normalize().trim()),
    v.maxLength(max, tooLong),
  )

const orNull = v.transform((text: string) => text || null)

const phc =
  /^\$argon2id\$v=19\$m=[1-9]\d{0,6},t=[1-9]\d{0,2},p=[1-9]\d{0,2}\$[A-Za-z0-9+/]{11,128}\$[A-Za-z0-9+/]{16,128}$/

interface FieldTypeRule {
  /** What an import takes. Its codec stores the output. */
  schema: v.GenericSchema<unknown, unknown>
  storage: Storage
  /** The type in PostgreSQL of an `enum`. */
  enumName?: string
}

/** How each type of field is imported and stored. */
export const fieldTypes = {
  text: { schema: TextSchema, storage: 'text' },
  nonempty_text: { schema: v.pipe(TextSchema, v.nonEmpty('not_empty')), storage: 'text' },
  username: { schema: UsernameSchema, storage: 'text' },
  email: { schema: EmailSchema, storage: 'text' },
  purchase_code: { schema: PurchaseCodeParameterSchema, storage: 'text' },
  texts: { schema: v.array(TextSchema, 'list'), storage: 'json' },
  link: { schema: LinkSchema, storage: 'text' },
  optional_link: { schema: OptionalLinkSchema, storage: 'text' },
  links: { schema: v.array(LinkSchema, 'list'), storage: 'json' },
  link_map: { schema: SocialLinksSchema, storage: 'json' },
  item_id: { schema: ItemIdSchema, storage: 'integer' },
  item: { schema: ItemIdSchema, storage: 'integer' },
  item_ids: { schema: ItemIdsSchema, storage: 'json' },
  version: { schema: VersionSchema, storage: 'text' },
  currency: { schema: CurrencySchema, storage: 'text' },
  amount: { schema: WrittenAmountSchema, storage: 'money' },
  price: { schema: WrittenAmountSchema, storage: 'money' },
  timestamp: { schema: StoredTimestampSchema, storage: 'timestamp' },
  boolean: { schema: v.boolean('boolean'), storage: 'boolean' },
  slug: { schema: SlugSchema, storage: 'text' },
  item_kind: { schema: v.picklist(itemKinds, 'item_kind'), storage: 'enum', enumName: 'ItemKind' },
  purchase_state: {
    schema: v.picklist(purchaseStates, 'purchase_state'),
    storage: 'enum',
    enumName: 'PurchaseState',
  },
  shape: { schema: ShapeSchema, storage: 'enum', enumName: 'Shape' },
  locale: { schema: v.picklist(locales, 'locale'), storage: 'enum', enumName: 'Locale' },
  customer_text: { schema: v.pipe(optionalText(255, 'credential_length'), orNull), storage: 'text' },
  /** In lower case, so that it is compared without case. */
  customer_email: {
    schema: v.pipe(
      optionalText(255, 'credential_length'),
      v.transform((text) => text.toLowerCase()),
      EmailSchema,
      orNull,
    ),
    storage: 'text',
  },
  note: { schema: v.pipe(optionalText(2000, 'note_length'), orNull), storage: 'text' },
  /** Kept and found as it is. */
  api_key: {
    schema: v.pipe(v.string('text'), v.regex(/^[\x21-\x7e]{16,255}$/, 'key_format')),
    storage: 'text',
  },
  password: { schema: PasswordSchema, storage: 'text' },
  password_hash: { schema: v.pipe(v.string('text'), v.regex(phc, 'password_hash')), storage: 'text' },
} as const satisfies Record<FieldType, FieldTypeRule>

/** What a checked record holds for a type of field. */
export type ImportedValue<Type extends FieldType> = v.InferOutput<(typeof fieldTypes)[Type]['schema']>
