import type { ItemKind, Shape } from '../constants.ts'

/** How a record is shown: in one of the two shapes, or as the summary of an item inside a base purchase. */
export type View = Shape | 'summary'

/** What a condition looks at beside the value: the item, or the item of the purchase. */
export interface ConditionItem {
  readonly kind?: ItemKind
  readonly support?: boolean
}

/** What has to hold for a field to be shown. */
export interface ConditionParts {
  /** There is a value; or there is a list, with something in it. */
  readonly value?: 'set' | 'not_empty'
  readonly kind?: ItemKind
  readonly otherKind?: ItemKind
  readonly support?: true
  /** What the OpenAPI document says of such a field. */
  readonly description?: string
}

/** When a view shows a field, by name. Code, SQL, schemas and documents are made from this table. */
export const conditions = {
  always: {},
  set: { value: 'set' },
  not_empty: { value: 'not_empty', description: 'Only where there are some.' },
  not_audio: { otherKind: 'audio', description: 'Not for audio items.' },
  video_only: { value: 'set', kind: 'video', description: 'Only for video items.' },
  audio_only: { value: 'set', kind: 'audio', description: 'Only for audio items.' },
  with_support: {
    value: 'set',
    support: true,
    description: 'Only where the item offers support and this purchase has it; also after it has passed.',
  },
} as const satisfies Record<string, ConditionParts>

/** The name of a condition. */
export type Condition = keyof typeof conditions

/** What a response holds for a field, by the type of the field. */
export interface FieldValues {
  text: string
  /** A text that an import refuses when it is empty. */
  nonempty_text: string
  username: string
  email: string
  purchase_code: string
  texts: string[]
  link: string
  /** A link, or `""`. */
  optional_link: string
  links: string[]
  link_map: Record<string, string>
  item_id: number
  version: string
  currency: string
  /** Money in the record's `currency`; may be negative. */
  amount: number
  /** Money in the record's `currency`; not negative. */
  price: number
  timestamp: string
  boolean: boolean
}

/** The types of fields that a response may show. `item` is the item of a purchase: its id in a record, itself in a response. */
export type PublicFieldType = keyof FieldValues | 'item'

/** The types of fields that no response ever shows. */
export type PrivateFieldType =
  | 'slug'
  | 'item_ids'
  | 'item_kind'
  | 'purchase_state'
  | 'shape'
  | 'locale'
  | 'api_key'
  | 'customer_text'
  | 'customer_email'
  | 'note'
  | 'password'
  | 'password_hash'

/** The type of a field: how its value is checked, stored and written. */
export type FieldType = PublicFieldType | PrivateFieldType

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Whether a field with a value is shown. */
function isShown(condition: Condition, value: unknown, item: ConditionItem): boolean {
  const parts: ConditionParts = conditions[condition]
  if (parts.value && (parts.value === 'not_empty' ? !isFilled(value) : (value ?? null) === null)) return false
  if (parts.kind && item.kind !== parts.kind) return false
  if (parts.otherKind && item.kind === parts.otherKind) return false
  return !parts.support || item.support === true
}

/** The views that show a field, and when. A view that is not named never shows it. */
export type Shown = { readonly [V in View]?: Condition }

interface FieldOptions {
  /** An imported record may leave it out, or give `null`. */
  readonly optional?: true
  /** An edit cannot change it. */
  readonly fixed?: true
}

/** A field of a record. */
export type Field =
  | ({ readonly type: PublicFieldType; readonly shown: Shown } & FieldOptions)
  | ({ readonly type: PrivateFieldType; readonly shown: { readonly [V in View]?: never } } & FieldOptions)

/**
 * The fields of a record, in the order of the contract's responses. A nested table is a nested object; the path of a field in it
 * is written with dots, such as `media.thumbnail`. Names and nesting are the same in imports, exports and responses.
 */
export interface Fields {
  readonly [name: string]: Field | Fields
}

/** Shown in both shapes. */
export const inBothShapes = { base: 'always', extended: 'always' } as const

/** Shown in both shapes and in the summary of an item. */
export const everywhere = { ...inBothShapes, summary: 'always' } as const

/** Never sent. */
export const nowhere = {} as const

/** Whether an entry of a table is a field, and not a nested table. */
export const isField = (entry: Field | Fields): entry is Field => typeof entry.type === 'string'

/** A field and its path. */
export interface FieldWithPath {
  readonly path: string
  readonly field: Field
}

/**
 * The fields of a table with their paths, in order.
 *
 * @example
 * fieldList(itemFields).map(({ path }) => path) // ['workspace', 'id', …, 'media.thumbnail', …]
 */
export const fieldList = (fields: Fields, prefix = ''): FieldWithPath[] =>
  Object.entries(fields).flatMap(([name, entry]) => {
    const path = prefix + name
    return isField(entry) ? [{ path, field: entry }] : fieldList(entry, `${path}.`)
  })

/** Each path in a table of fields, as a type. */
export type FieldPath<F> = {
  [Name in keyof F & string]: F[Name] extends Field ? Name : `${Name}.${FieldPath<F[Name]>}`
}[keyof F & string]

/** Each path that an edit may change, as a type. */
export type EditablePath<F> = {
  [Name in keyof F & string]: F[Name] extends { readonly fixed: true }
    ? never
    : F[Name] extends Field
      ? Name
      : `${Name}.${EditablePath<F[Name]>}`
}[keyof F & string]

/** Whether a view of a table shows an entry: `always`, `sometimes` or `never`. A nested table is shown when one of its fields is. */
type WhenShown<Entry, V extends View> = Entry extends Field
  ? Entry['shown'] extends { readonly [_ in V]: infer When }
    ? When extends 'always'
      ? 'always'
      : 'sometimes'
    : 'never'
  : { [Name in keyof Entry]: WhenShown<Entry[Name], V> }[keyof Entry] extends 'never'
    ? 'never'
    : 'always'

type ValueOf<Entry, V extends View, Item> = Entry extends Field
  ? Entry['type'] extends keyof FieldValues
    ? FieldValues[Entry['type']]
    : Item
  : Viewed<Entry, V, Item>

/** What a view shows of a table of fields, as a type. `Item` is the type of the field of the type `item`. */
export type Viewed<F, V extends View, Item = never> = V extends View
  ? {
      -readonly [Name in keyof F as WhenShown<F[Name], V> extends 'always' ? Name : never]: ValueOf<
        F[Name],
        V,
        Item
      >
    } & {
      -readonly [Name in keyof F as WhenShown<F[Name], V> extends 'sometimes' ? Name : never]?: ValueOf<
        F[Name],
        V,
        Item
      >
    }
  : never

/**
 * Builds an object like a table, in its order: `entry` gives the value of a field, or `undefined` to leave it out, and `group` the
 * value of a nested table.
 */
export function build<T>(
  fields: Fields,
  entry: (field: Field, path: string) => T | undefined,
  group: (entries: Record<string, T>) => T,
  prefix = '',
): Record<string, T> {
  const built: Record<string, T> = {}
  for (const [name, node] of Object.entries(fields)) {
    const path = prefix + name
    if (isField(node)) {
      const value = entry(node, path)
      if (value !== undefined) built[name] = value
      continue
    }
    const entries = build(node, entry, group, `${path}.`)
    if (Object.keys(entries).length > 0) built[name] = group(entries)
  }
  return built
}

/**
 * What a view shows of a record, its fields in order. Holds nothing that the table does not name.
 * `read` gives the value of a field as a response writes it.
 *
 * @example
 * present(itemFields, 'base', (field, path) => valueOf(row, path), row)
 */
export const present = <const F extends Fields, V extends View, Item = never>(
  fields: F,
  view: V,
  read: (field: Field, path: string) => unknown,
  item: ConditionItem = {},
): Viewed<F, V, Item> => {
  const shown = build<unknown>(
    fields,
    (field, path) => {
      const condition = field.shown[view]
      if (condition === undefined) return undefined
      const value = read(field, path)
      return isShown(condition, value, item) ? value : undefined
    },
    (entries) => entries,
  )
  // TypeScript does not follow a loop over the names of `F`; the tests of the records compare the two.
  return shown as Viewed<F, V, Item>
}
