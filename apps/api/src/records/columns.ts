import type { Fields } from '@saleproof/schema/records'
import type { RecordField, RecordOf, RecordTable, ReportIssue } from './table.ts'
import { createReader } from './tree.ts'

/** A value as a driver takes it. */
export type ColumnValue = string | number | Uint8Array | null

export type StagedType = 'text' | 'integer' | 'boolean' | 'bytes'

/** In staging, an optional field that was left out and keeps what is stored. `null` is one that clears it. */
export const omitted = ''

const keepsWhatIsStored = ({ nullable, ifOmitted }: RecordField) => nullable && ifOmitted === 'keep'

/** Makes the function that gives a field's value in staging. */
function stagedValue(field: RecordField) {
  const read = createReader(field.path)
  const whenAbsent = keepsWhatIsStored(field) ? omitted : null
  return (record: unknown, report: ReportIssue): ColumnValue => {
    const given = read(record)
    if (given === undefined) return whenAbsent
    const value = given ?? field.default
    return value === undefined ? null : field.codec.stage(value, field, record, report)
  }
}

/** A column of staging. */
export interface StagedColumn {
  name: string
  type: StagedType
  /** Undefined where the import makes the value. */
  field: RecordField | undefined
}

/** The columns of a record in staging, in the order of its rows. */
export const stagedColumns = ({ fields, generated }: RecordTable): readonly StagedColumn[] => [
  ...fields.flatMap((field) => {
    if (field.staged === undefined) return []
    // A number could not say that it was left out.
    const type = keepsWhatIsStored(field) ? 'text' : field.codec.staged
    return [{ name: field.staged, type, field }]
  }),
  ...Object.entries(generated).map(([name, type]) => ({ name, type, field: undefined })),
]

/** Makes the function that gives a record's row in staging, and reports amounts that its currency does not take. */
export function createStagedRow<F extends Fields>(table: RecordTable<F>) {
  type Generated = Readonly<Record<string, ColumnValue>>
  const readers = stagedColumns(table).map(({ name, field }) =>
    field
      ? stagedValue(field)
      : (_: unknown, __: ReportIssue, generated: Generated) => generated[name] ?? null,
  )
  return (record: Partial<RecordOf<F>>, report: ReportIssue, generated: Generated = {}): ColumnValue[] =>
    readers.map((read) => read(record, report, generated))
}

const unexpected: ReportIssue = (field, issue) => {
  throw new TypeError(`${field}: ${issue}`)
}

/** The columns of a checked record, or of a part of one, as Prisma takes them. What is left out has none. */
export function prismaColumns({ fields }: RecordTable, record: unknown, report = unexpected) {
  const columns = fields.flatMap((field): [string, unknown][] => {
    const value = createReader(field.path)(record)
    if (field.column === undefined || value === undefined) return []
    return [[field.column, value === null ? null : field.codec.toPrisma(value, field, record, report)]]
  })
  return Object.fromEntries(columns)
}
