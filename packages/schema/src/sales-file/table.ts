import papa from 'papaparse'

/** A row of a table. */
export interface SalesRow {
  /** The line of the file on which the row begins, from 1. */
  line: number
  cells: string[]
}

/** A file of comma-separated values, with a name for each column in its first row. */
export interface SalesTable {
  columns: string[]
  rows: SalesRow[]
}

/** Exports write an apostrophe wherever a spreadsheet would begin a formula, whichever separator it splits cells by. */
const guards =
  /(^|[\r\n\t,;:|])'(?=['"]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])|( )'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20](?! ))/g

const withoutGuard = (cell: string) => cell.replace(guards, '$1$2')

/** The separator of the first line that comes most often. */
function detectDelimiter(text: string): string {
  const [head = ''] = text.trimStart().split('\n', 1)
  const count = (separator: string) => head.split(separator).length
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/**
 * The text of a file: UTF-8, or UTF-16 with a byte order mark, as spreadsheets save it. What is no text of these becomes U+FFFD.
 *
 * @example
 * decodeText(new Uint8Array(await file.arrayBuffer()))
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

/**
 * Reads comma-separated values (RFC 4180), also with semicolons, tabs or bars between them. Cells lose white space around them and the
 * apostrophe with which an export keeps a spreadsheet from running a formula. Empty rows are left out.
 *
 * @example
 * readSalesTable('Code;Price\nAAAA-1111;12,50')
 * // { columns: ['Code', 'Price'], rows: [{ line: 2, cells: ['AAAA-1111', '12,50'] }] }
 */
export function readSalesTable(text: string): SalesTable {
  const { data } = papa.parse<string[]>(text, { delimiter: detectDelimiter(text) })
  let line = 1
  const rows = data.map((cells): SalesRow => {
    const row = { line, cells: cells.map((cell) => withoutGuard(cell.trim())) }
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0)
    return row
  })
  const [head, ...body] = rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { columns: head?.cells ?? [], rows: body }
}
