import { parseMoney } from '@saleproof/schema'
import type { Fields } from '@saleproof/schema/records'
import type { Storage } from './field-types.ts'
import type { RecordField, RecordOf, RecordTable, ReportIssue } from './table.ts'
import { readerOf } from './tree.ts'

/** A value as a driver takes it. */
export type ColumnValue = string | number | Uint8Array | null

/** In staging, an optional field that was left out and keeps what is stored. `null` is one that clears it. */
export const omitted = ''

const currencyOf = readerOf('currency')

function minorUnits(
  { path, type }: RecordField,
  value: unknown,
  record: unknown,
  report: ReportIssue,
): number {
  // The schemas of both fields have checked what they are.
  const result = parseMoney(value as number | string, currencyOf(record) as string)
  if ('problem' in result) {
    if (value === '') report(path, 'not_empty')
    else if (result.problem === 'amount') report(path, 'amount', 'text')
    else report(result.problem === 'currency' ? 'currency' : path, result.problem)
    return 0
  }
  if (result.minor < 0 && type === 'price') report(path, 'amount_negative')
  return result.minor
}

/** Ids, each once and in order, so that lists which mean the same are the same text. */
const idList = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)

/** Casts in here: the schema of the field's type has checked the value. */
function columnValue(field: RecordField, value: unknown, record: unknown, report: ReportIssue): ColumnValue {
  if (field.type === 'item_ids') return JSON.stringify(idList(value as readonly number[]))
  if (field.storage === 'boolean') return value ? 1 : 0
  if (field.storage === 'json') return JSON.stringify(value)
  if (field.storage === 'money') return minorUnits(field, value, record, report)
  return value as ColumnValue
}

const keepsWhatIsStored = ({ nullable, ifOmitted }: RecordField) => nullable && ifOmitted === 'keep'

/** Makes the function that gives a field's value in staging. */
function stagedValueOf(field: RecordField) {
  const read = readerOf(field.path)
  const whenAbsent = keepsWhatIsStored(field) ? omitted : null
  return (record: unknown, report: ReportIssue): ColumnValue => {
    const given = read(record)
    if (given === undefined) return whenAbsent
    const value = given ?? field.default
    return value === undefined ? null : columnValue(field, value, record, report)
  }
}

export type StagedType = 'text' | 'integer' | 'boolean' | 'bytes'

/** A column of staging. */
export interface StagedColumn {
  name: string
  type: StagedType
  /** Undefined where the import makes the value. */
  field: RecordField | undefined
}

const stagedTypes: Readonly<Record<Storage | 'bytes', StagedType>> = {
  text: 'text',
  enum: 'text',
  json: 'text',
  timestamp: 'integer',
  integer: 'integer',
  money: 'integer',
  boolean: 'boolean',
  bytes: 'bytes',
}

/** The columns of a record in staging, in the order of its rows. */
export const stagedColumns = ({ fields, generated }: RecordTable): readonly StagedColumn[] => [
  ...fields.flatMap((field) => {
    if (field.staged === undefined) return []
    // A number could not say that it was left out.
    const type = keepsWhatIsStored(field) ? 'text' : stagedTypes[field.storage]
    return [{ name: field.staged, type, field }]
  }),
  ...Object.entries(generated).map(([name, storage]) => ({
    name,
    type: stagedTypes[storage],
    field: undefined,
  })),
]

/** Makes the function that gives a record's row in staging, and reports amounts that its currency does not take. */
export function createStagedRow<F extends Fields>(table: RecordTable<F>) {
  type Generated = Readonly<Record<string, ColumnValue>>
  const readers = stagedColumns(table).map(({ name, field }) =>
    field
      ? stagedValueOf(field)
      : (_: unknown, __: ReportIssue, generated: Generated) => generated[name] ?? null,
  )
  return (record: RecordOf<F>, report: ReportIssue, generated: Generated = {}): ColumnValue[] =>
    readers.map((read) => read(record, report, generated))
}

const unexpected: ReportIssue = (field, issue) => {
  throw new TypeError(`${field}: ${issue}`)
}

/** The columns of a checked record, or of a part of one, as Prisma takes them. What is left out has none. */
export function prismaColumns({ fields }: RecordTable, record: unknown, report = unexpected) {
  const columns = fields.flatMap((field): [string, unknown][] => {
    const value = readerOf(field.path)(record)
    if (field.column === undefined || value === undefined) return []
    if (field.storage === 'money') return [[field.column, BigInt(minorUnits(field, value, record, report))]]
    return [[field.column, field.storage === 'timestamp' ? new Date(value as number) : value]]
  })
  return Object.fromEntries(columns)
}
