import { formatMoney, formatTimestamp } from '@saleproof/schema'
import { type ConditionItem, conditions, type View } from '@saleproof/schema/records'
import type { Storage } from './field-types.ts'
import { exportedFields, type ShownField, shownFields } from './json.ts'
import type { RecordTable } from './table.ts'
import { nest, type Tree } from './tree.ts'

/** A row as Prisma gives it. */
type PrismaRow = Readonly<Record<string, unknown>>

type Write = (value: unknown, row: PrismaRow) => unknown

const same = (value: unknown) => value

/** From what Prisma or a driver gives for each storage. */
const values = {
  text: same,
  enum: same,
  json: same,
  boolean: Boolean,
  integer: (value: number | bigint) => Number(value),
  money: (value: bigint | number, { currency }: { currency: string }) => formatMoney(value, currency),
  timestamp: (value: Date | number) => formatTimestamp(new Date(value)),
} satisfies Record<Storage, (value: never, row: never) => unknown>

type Present = (row: PrismaRow, item: ConditionItem) => unknown

function presentField({ field, column, condition, isNestedItem }: ShownField): Present {
  const isShown = conditions[condition]
  // A column of this storage: Prisma gives what its function takes.
  const write: Write = isNestedItem ? same : (values[field.storage] as Write)
  return (row, item) => (isShown(row[column], item) ? write(row[column], row) : undefined)
}

function presentObject(tree: Tree<ShownField>): Present {
  const entries = [...tree].map(
    ([name, node]) => [name, node instanceof Map ? presentObject(node) : presentField(node)] as const,
  )
  return (row, item) => {
    const shown: Record<string, unknown> = {}
    for (const [name, present] of entries) {
      const value = present(row, item)
      if (value !== undefined) shown[name] = value
    }
    return shown
  }
}

/**
 * Makes the function that gives what a view shows of a row: the fields that the table names and nothing else, so that a new column stays
 * private. Conditions look at `item`. Where the item of a row is shown, it stands in place of its id. The view `record` shows what the
 * row holds of a record in the import format.
 */
export function createPresenter<Shown>(table: RecordTable, view: View | 'record') {
  const fields = view === 'record' ? exportedFields(table) : shownFields(table, view)
  const present = presentObject(nest(fields.map((shown) => [shown.field.path, shown])))
  // The tests of each operation compare what comes out with the schema of the view.
  return (row: PrismaRow, item: ConditionItem = {}) => present(row, item) as Shown
}

/** Makes the function that gives each field of a row that has a column, by its name; `null` where there is no value. */
export function createRecordPresenter<Shown>({ fields }: RecordTable) {
  const columns = fields.flatMap(({ path, column, storage }) =>
    column === undefined ? [] : { path, column, write: values[storage] as Write },
  )
  return (row: PrismaRow) =>
    Object.fromEntries(
      columns.map(({ path, column, write }) => [path, row[column] === null ? null : write(row[column], row)]),
    ) as Shown
}
