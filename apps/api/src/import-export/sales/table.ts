import { type Row, readRows } from './csv.ts'
import { cleanCell } from './values.ts'

export interface SalesTable {
  /** The line with the names of the columns. */
  header: number
  names: readonly string[]
  /** Whether a row has other cells than there are columns. */
  isTorn: (row: Row) => boolean
  blocks: AsyncIterable<readonly Row[]>
}

/** No export has as many. What is behind them makes a row a torn one. */
const maxColumns = 1000

const isBlank = ({ cells }: Row) => !cells.some((cell) => cell !== '' && cell.trim() !== '')

/** Reads a file up to the names of its columns. */
export async function openTable(source: AsyncIterable<Uint8Array>): Promise<SalesTable> {
  const rows = readRows(source)
  for (;;) {
    const { done, value } = await rows.next()
    if (done) return { header: 1, names: [], isTorn: () => true, blocks: rows }
    const at = value.findIndex((row) => !isBlank(row))
    const head = value[at]
    if (!head) continue
    const cells = head.cells.slice(0, maxColumns).map((cell) => cleanCell(cell))
    // Rows that were rejected come back with what is wrong with them.
    const isCorrected = cells.length > 1 && cells.at(-1) === 'problem'
    const names = isCorrected ? cells.slice(0, -1) : cells
    async function* blocks() {
      yield value.slice(at + 1)
      yield* rows
    }
    return {
      header: head.line,
      names,
      isTorn: (row) =>
        row.isOpen === true || row.cells.length < names.length || row.cells.slice(cells.length).some(Boolean),
      blocks: blocks(),
    }
  }
}

/** Why a row is no sale; undefined where it may be one. */
export function skipReason(row: Row, names: readonly string[]): 'blank' | 'header' | 'total' | undefined {
  if (isBlank(row)) return 'blank'
  const first = row.cells.find((cell) => cell.trim() !== '')?.trim() ?? ''
  if (/^(grand |sub)?totals?:?$|^sum(me)?:?$|^gesamt:?$/i.test(first)) return 'total'
  if (first === names[0] && names.every((name, index) => cleanCell(row.cells[index]) === name))
    return 'header'
  return undefined
}
