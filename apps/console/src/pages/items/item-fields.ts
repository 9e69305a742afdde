import type { ConsoleItemDetail, ImportedRecord } from '@saleproof/schema/console'
import { build, type Field, fieldList, itemFields } from '@saleproof/schema/records'
import type { ItemPath } from '../../messages/en/items.ts'

type TypesIn<F> = F extends Field ? F['type'] : { [Name in keyof F]: TypesIn<F[Name]> }[keyof F]

/** The types of the fields of items. */
export type ItemFieldType = TypesIn<typeof itemFields>

/** An item as the controls of the form hold it. */
export type ItemDraft = Record<ItemPath, string>

/** A new item is given its id. */
const isEdited = (path: string, { fixed }: Field): path is ItemPath => !fixed || path === 'id'

/** The texts of one line. Any other may have more. */
const singleLine: ReadonlySet<ItemPath> = new Set(['name', 'category', 'sub_category'])

/** The types that take an empty text. */
const mayBeEmpty: ReadonlySet<string> = new Set(['text', 'texts', 'optional_link', 'links'])

const isPreview = (path: ItemPath) => /^media\.preview_(?:video|audio)$/.test(path)

/** Other kinds have no preview of their own. */
export const isForKind = (path: ItemPath, kind: string) =>
  !isPreview(path) || path === `media.preview_${kind}`

/** A field that the form edits. */
export interface EditedField {
  path: ItemPath
  type: ItemFieldType
  required: boolean
  multiline: boolean
}

/** Each field that the form edits, in the order of responses. */
export const editedFields: readonly EditedField[] = fieldList(itemFields).flatMap(({ path, field }) => {
  if (!isEdited(path, field)) return []
  // The type of a list forgets the table that it was made of.
  const type = field.type as ItemFieldType
  return {
    path,
    type,
    required: path === 'name' || (!mayBeEmpty.has(type) && (!field.optional || isPreview(path))),
    multiline: type === 'links' || (type === 'text' && !singleLine.has(path)),
  }
})

interface Codec {
  read: (value: never) => string
  write: (text: string) => unknown
}

const trimmed: Codec = { read: String, write: (text) => text.trim() }

const listCodec = (separator: string, joined: string): Codec => ({
  read: (values: readonly string[]) => values.join(joined),
  write: (text) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
})

/** From a value of a record to the text of its control and back. The service checks what is written. */
const codecs: Readonly<Record<ItemFieldType, Codec>> = {
  slug: trimmed,
  item_id: { read: String, write: Number },
  item_kind: trimmed,
  text: { read: String, write: (text) => text },
  texts: listCodec(',', ', '),
  version: trimmed,
  link: trimmed,
  optional_link: trimmed,
  links: listCodec('\n', '\n'),
  // A decimal comma means the same.
  price: { read: String, write: (text) => text.trim().replace(',', '.') },
  currency: { read: String, write: (text) => text.trim().toUpperCase() },
  boolean: { read: (value) => (value ? 'yes' : 'no'), write: (text) => text === 'yes' },
  // Without a day, what is left is the time.
  timestamp: { read: String, write: (text) => (text.startsWith('T') ? null : text) },
}

export const valueAt = (record: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), record)

const draftWith = (textOf: (path: ItemPath, type: ItemFieldType) => string) =>
  Object.fromEntries(editedFields.map(({ path, type }) => [path, textOf(path, type)])) as ItemDraft

/** What the fields of the form held when the item was read. */
export type ItemValues = Readonly<Record<string, unknown>>

export const readValues = (record: ConsoleItemDetail['record']): ItemValues =>
  Object.fromEntries(editedFields.map(({ path }) => [path, valueAt(record, path) ?? null]))

export const toDraft = (values: ItemValues): ItemDraft =>
  draftWith((path, type) => {
    const value = values[path]
    // The table says what the value is.
    return (value ?? null) === null ? '' : codecs[type].read(value as never)
  })

export const newDraft = (id: string, currency: string): ItemDraft => ({
  ...draftWith(() => ''),
  id,
  currency,
  kind: 'image',
  version: '1.0.0',
  support: 'yes',
  published_at: new Date().toISOString(),
})

/** The item in the import format. An optional field without text is cleared. */
export function toRecord(draft: ItemDraft): ImportedRecord {
  const record = build<unknown>(
    itemFields,
    (field, path) => {
      const { type, optional } = field
      if (!isEdited(path, field) || !isForKind(path, draft.kind)) return undefined
      const text = singleLine.has(path) ? draft[path].trim() : draft[path]
      return optional && text.trim() === '' ? null : codecs[type as ItemFieldType].write(text)
    },
    (entries) => entries,
  )
  // It has the fields of the table.
  return { type: 'item', ...record } as ImportedRecord
}

/** The fields that were touched, with what they held before. What does not belong to the kind of the item is cleared. */
export function toEdit(draft: ItemDraft, read: ItemValues) {
  const before = toDraft(read)
  const record = toRecord(draft)
  const isTouched = (path: ItemPath) =>
    isForKind(path, draft.kind) ? draft[path] !== before[path] : read[path] !== null
  const paths = editedFields.map(({ path }) => path).filter(isTouched)
  return {
    changes: Object.fromEntries(paths.map((path) => [path, valueAt(record, path) ?? null])),
    before: Object.fromEntries(paths.map((path) => [path, read[path]])),
  }
}
