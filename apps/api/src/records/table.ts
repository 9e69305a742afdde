import {
  type Field,
  type FieldPath,
  type Fields,
  type FieldType,
  fieldList,
  type RecordIssue,
} from '@saleproof/schema/records'
import { type Codec, codecs, type Storage } from './codecs.ts'
import type { StagedType } from './columns.ts'
import { fieldTypes, type ImportedValue } from './field-types.ts'

/** How a field is stored. */
interface Mapping<Column> {
  column?: Column
  /** Instead of a column: the SQL expression of an export, where the table is `t`. */
  select?: string
  /** Instead of a column: an export decrypts it. */
  decrypted?: true
  /** What a new record has where an optional field is left out, and any record where it is `null`. */
  default?: string | boolean | readonly []
  /** An optional field that is left out keeps what is stored, unless this says otherwise. */
  ifOmitted?: 'clear'
}

/** A field of a record, as the service imports, stores, exports and presents it. */
export interface RecordField {
  /** The path in imports, exports and responses, such as `media.thumbnail`. */
  path: string
  type: FieldType
  storage: Storage
  codec: Codec
  /** Where `storage` is `enum`: its type in PostgreSQL. */
  enumName: string | undefined
  column: string | undefined
  /** The column in staging. */
  staged: string | undefined
  /** What an export selects. */
  select: string | undefined
  /** The column in the rows of an export. */
  exported: string | undefined
  optional: boolean
  /** Whether an edit leaves it alone. */
  fixed: boolean
  default: Mapping<string>['default']
  ifOmitted: 'keep' | 'clear'
  /** Whether there may be no value. */
  nullable: boolean
  /** The views of responses that show it, and when. */
  shown: Field['shown']
}

/** A checked record of an import. A field that is left out is `undefined` and keeps what is stored; `null` clears it. */
export type RecordOf<F> = {
  [Name in keyof F]: F[Name] extends { readonly type: infer Type extends FieldType; readonly shown: object }
    ? F[Name] extends { readonly optional: true }
      ? ImportedValue<Type> | null | undefined
      : ImportedValue<Type>
    : RecordOf<F[Name]>
}

/** Reports what is wrong with a field. */
export type ReportIssue = (field: string, issue: RecordIssue) => void

interface Exported {
  from: string
  orderBy: string
  /** Further columns by name: what decrypting a field takes. */
  columns?: Readonly<Record<string, string>>
}

interface RecordTableOptions<F extends Fields, Column extends string> {
  /** The name in the database. */
  name: string
  /** The column of each field, in the order of a record in an export; `null` where another field or column holds it. */
  columns: { readonly [Path in FieldPath<F>]: Column | Mapping<Column> | null }
  /** The columns of staging that no field has. An import makes their values. */
  generated?: Readonly<Record<string, StagedType>>
  /** The field that a record is known by. */
  identity: { field: FieldPath<F>; column: Column }
  /** Where an export selects from, and in which order. */
  exported: Exported
  /** The rules between fields. */
  check?: (record: RecordOf<F>, report: ReportIssue) => void
}

export interface RecordTable<F extends Fields = Fields> {
  name: string
  publicFields: F
  /** In the order of an export. */
  fields: readonly RecordField[]
  /** In the order of a response. */
  presented: readonly RecordField[]
  generated: Readonly<Record<string, StagedType>>
  identity: { field: string; column: string }
  exported: Exported
  check(record: RecordOf<F>, report: ReportIssue): void
}

function recordField(path: string, field: Field, mapping: string | Mapping<string> | null): RecordField {
  const { column, select, decrypted, ...rule } =
    typeof mapping === 'string' ? { column: mapping } : (mapping ?? {})
  const staged = column ?? (select && path)
  const { storage, enumName } = { enumName: undefined, ...fieldTypes[field.type] }
  return {
    path,
    type: field.type,
    storage,
    codec: codecs[storage],
    enumName,
    column,
    staged,
    select: select ?? (column && `t."${column}"`),
    exported: decrypted ? path : staged,
    optional: field.optional === true,
    fixed: field.fixed === true,
    default: undefined,
    ifOmitted: 'keep',
    nullable: field.optional === true && rule.default === undefined,
    shown: field.shown,
    ...rule,
  }
}

/** Describes a record: its fields and their columns. `Column` names the columns of the table. */
export const recordTable =
  <Column extends string>() =>
  <const F extends Fields>(publicFields: F, options: RecordTableOptions<F, Column>): RecordTable<F> => {
    const { columns, generated = {}, check = () => {}, ...others } = options
    const mappings: Readonly<Record<string, Column | Mapping<Column> | null>> = columns
    const presented = fieldList(publicFields).map(({ path, field }) =>
      recordField(path, field, mappings[path] ?? null),
    )
    const byPath = new Map(presented.map((field) => [field.path, field]))
    const fields = Object.keys(columns).flatMap((path) => byPath.get(path) ?? [])
    return { publicFields, fields, presented, generated, check, ...others }
  }
