import {
  build,
  type ConditionItem,
  type Fields,
  present,
  type View,
  type Viewed,
} from '@saleproof/schema/records'
import type { RecordTable } from './table.ts'

/** A row as Prisma or a driver gives it. */
type Row = Readonly<Record<string, unknown>>

/** Makes the function that gives the value of a field by its path: `null` where there is none, `undefined` where it has no column. */
function createReader({ fields }: RecordTable) {
  const byPath = new Map(fields.map((field) => [field.path, field]))
  return (row: Row, path: string): unknown => {
    const { column, codec } = byPath.get(path) ?? {}
    if (column === undefined || codec === undefined) return undefined
    const value = row[column] ?? null
    return value === null ? null : codec.present(value, row)
  }
}

/**
 * Makes the function that gives what a view shows of a row: the fields that the table names and nothing else, so that a new column stays
 * private. Conditions look at `item`; `shownItem` stands in place of its id.
 */
export function createPresenter<F extends Fields, V extends View, Item = never>(
  table: RecordTable<F>,
  view: V,
) {
  const read = createReader(table)
  return (row: Row, item?: ConditionItem, shownItem?: Item): Viewed<F, V, Item> =>
    present(
      table.publicFields,
      view,
      ({ type }, path) => (type === 'item' ? shownItem : read(row, path)),
      item,
    )
}

/** Makes the function that gives a row as a record of an import, with what stands for a value that is not there. */
export function createRecordPresenter<Shown>(table: RecordTable, absent: null | undefined) {
  const read = createReader(table)
  const group = (entries: Record<string, unknown>): unknown => entries
  return (row: Row) =>
    build(
      table.publicFields,
      (_, path) => {
        const value = read(row, path)
        return value === null ? absent : value
      },
      group,
    ) as Shown
}
