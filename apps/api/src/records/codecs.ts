import { currencyCodes, currencyDigits, formatMoney, formatTimestamp, parseMoney } from '@saleproof/schema'
import { parseBool, parseTimestamptz } from '../postgres-text.ts'
import type { ColumnValue, StagedType } from './columns.ts'
import type { RecordField, ReportIssue } from './table.ts'
import { createReader } from './tree.ts'

/**
 * A kind of column, in every place where its values are held, read or written. The value of each function is what the schema of the field,
 * Prisma or a driver gives for such a column. A stored value is that of a driver: lists and maps as JSON, timestamps in milliseconds since
 * 1970, booleans as 0 and 1.
 */
export interface Codec {
  /** The column in staging, and a checked value there. */
  staged: StagedType
  stage(value: unknown, field: RecordField, record: unknown, report: ReportIssue): ColumnValue
  /** A staged value as PostgreSQL stores it; in SQLite it is the same. `enumName` is the type of an enum. */
  cast(staged: string, enumName?: string): string
  /** A checked value as Prisma takes it. */
  toPrisma(value: unknown, field: RecordField, record: unknown, report: ReportIssue): unknown
  /** The value in a response, from Prisma or a driver. */
  present(value: unknown, row: Readonly<Record<string, unknown>>): unknown
  /** The source of its JSON, from the source of a stored value; and the SQL of it in SQLite. See `jsonFunctions`. */
  json(value: string): string
  jsonSql(column: string): string
  /** The stored value, from the text of PostgreSQL. */
  parse(text: string): string | number
}

const same = <Value>(value: Value) => value

const readCurrency = createReader('currency')

function minorUnits(
  value: number | string,
  { path, type }: RecordField,
  record: unknown,
  report: ReportIssue,
): number {
  // The schema of the currency has checked it.
  const result = parseMoney(value, readCurrency(record) as string)
  if ('problem' in result) {
    if (value === '') report(path, 'not_empty')
    else if (result.problem === 'amount') report(path, 'amount')
    else report(result.problem === 'currency' ? 'currency' : path, result.problem)
    return 0
  }
  if (result.minor < 0 && type === 'price') report(path, 'amount_negative')
  return result.minor
}

const currenciesWith = (digits: number) =>
  currencyCodes
    .filter((code) => currencyDigits(code) === digits)
    .map((code) => `'${code}'`)
    .join(', ')

/** An amount with so many digits after the point, without those that say nothing: `1950` of 2 is `19.5`. */
function decimalSql(column: string, digits: number): string {
  const unit = 10 ** digits
  const fraction = `rtrim('.' || substr('${'0'.repeat(digits)}' || (${column} % ${unit}), -${digits}), '0')`
  return `(${column} / ${unit}) || iif(${column} % ${unit} = 0, '', ${fraction})`
}

/** An amount of minor units as the number that JSON has of it. */
const moneySql = (column: string) => `(CASE
  WHEN currency IN (${currenciesWith(0)}) THEN ${column}
  WHEN currency IN (${currenciesWith(3)}) THEN ${decimalSql(column, 3)}
  WHEN currency IN (${currenciesWith(4)}) THEN ${decimalSql(column, 4)}
  ELSE ${decimalSql(column, 2)} END)`

/** What the sources of `Codec.json` call. */
export const jsonFunctions = {
  text: JSON.stringify,
  money: formatMoney,
  timestamp: (ms: number) => `"${formatTimestamp(new Date(ms))}"`,
}

const text: Codec = {
  staged: 'text',
  stage: (value: string) => value,
  cast: same,
  toPrisma: same,
  present: same,
  json: (value) => `text(${value})`,
  jsonSql: (column) => `json_quote(${column})`,
  parse: same,
}

const integer: Codec = {
  staged: 'integer',
  stage: (value: number) => value,
  cast: (staged) => `(${staged})::bigint`,
  toPrisma: same,
  present: Number,
  json: same,
  jsonSql: same,
  parse: Number,
}

/** The codec of each kind of column. */
export const codecs = {
  text,
  integer,
  enum: { ...text, cast: (staged, enumName) => `(${staged})::"${enumName}"` },
  /** A list or a map. */
  json: { ...text, stage: (value) => JSON.stringify(value), json: same, jsonSql: same },
  /** In minor units of the record's currency. */
  money: {
    ...integer,
    stage: minorUnits,
    toPrisma: minorUnits,
    present: (value: bigint | number, { currency }: { currency: string }) => formatMoney(value, currency),
    json: (value) => `money(${value}, row.currency)`,
    jsonSql: moneySql,
  },
  boolean: {
    staged: 'boolean',
    stage: (value: boolean) => (value ? 1 : 0),
    cast: (staged) => `(${staged})::boolean`,
    toPrisma: same,
    present: Boolean,
    json: (value) => `(${value} === 1)`,
    jsonSql: (column) => `iif(${column}, 'true', 'false')`,
    parse: parseBool,
  },
  timestamp: {
    ...integer,
    cast: (staged) => `(timestamptz 'epoch' + (${staged})::bigint * interval '1 millisecond')`,
    toPrisma: (ms: number) => new Date(ms),
    present: (value: Date | number) => formatTimestamp(new Date(value)),
    json: (value) => `timestamp(${value})`,
    jsonSql: (column) => `strftime('"%Y-%m-%dT%H:%M:%SZ"', ${column} / 1000.0, 'unixepoch')`,
    parse: parseTimestamptz,
  },
} satisfies Record<string, Codec>

/** How a column holds the values of a field. */
export type Storage = keyof typeof codecs
