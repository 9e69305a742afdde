import { createDecoder, detectDelimiter } from '@saleproof/schema/sales-file'
import { readPieces } from '../pieces.ts'

/** A row of a file of separated values. */
export interface Row {
  /** The line on which it begins, from 1. */
  line: number
  /** On how many lines it is. */
  lines: number
  cells: string[]
  /** Whether its last quote is never closed. */
  isOpen?: boolean
}

/** A quote that is not closed within so many characters is none. */
const maxRowLength = 1024 * 1024

/** To look for the end of so many quotes that have none takes long enough: rows with quotes after them are open, too. */
const maxOpen = 20

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

const splitLine = (text: string, from: number, to: number, delimiter: string) =>
  text.slice(from, text[to - 1] === '\r' ? to - 1 : to).split(delimiter)

/** Where a quoted cell ends that begins at a quote: after its last quote; -1 where that is not in the text. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at + 1
  return -1
}

/** Where a cell ends: at a separator or a line feed. To look for each of them would read the rest of the text again for every cell. */
function endOfCell(text: string, from: number, delimiter: string): number {
  const separator = delimiter.charCodeAt(0)
  let at = from
  while (at < text.length && text.charCodeAt(at) !== separator && text.charCodeAt(at) !== 0x0a) at++
  return at
}

/** The cells of a row with quotes, and where it ends; undefined where its end is not in the text. */
function splitQuoted(text: string, from: number, delimiter: string) {
  const cells: string[] = []
  let at = from
  for (;;) {
    const isQuoted = text[at] === '"'
    const closed = isQuoted ? endOfQuoted(text, at) : at
    if (closed < 0) return undefined
    const end = endOfCell(text, closed, delimiter)
    const isLast = text[end] !== delimiter
    const cellEnd = isLast && text[end - 1] === '\r' && end > closed ? end - 1 : end
    const quoted = isQuoted ? text.slice(at + 1, closed - 1).replaceAll('""', '"') : ''
    cells.push(quoted + text.slice(closed, cellEnd))
    if (isLast) return { cells, end, isWhole: end < text.length }
    at = end + 1
  }
}

/**
 * Reads separated values (RFC 4180), also with semicolons, tabs or bars, a few rows at a time: a promise for each would cost too much. An open
 * quote spoils its row alone: csv-parse ends the file there, and Papa Parse takes the rest of it as one cell.
 */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]> {
  const decode = createDecoder()
  let text = ''
  let line = 1
  let delimiter: string | undefined
  let open = 0

  function readBlock(isEnd: boolean): Row[] {
    const rows: Row[] = []
    const separator = delimiter ?? ','
    let from = 0
    let quote = text.indexOf('"')
    while (from < text.length) {
      const newline = text.indexOf('\n', from)
      if (newline < 0 && !isEnd) break
      const lineEnd = newline < 0 ? text.length : newline
      if (quote >= 0 && quote < from) quote = text.indexOf('"', from)
      const hasQuote = quote >= 0 && quote < lineEnd
      const quoted = hasQuote && open < maxOpen ? splitQuoted(text, from, separator) : undefined
      const isWhole = !hasQuote || (quoted !== undefined && (quoted.isWhole || isEnd))
      if (!isWhole && !isEnd && open < maxOpen && text.length - from < maxRowLength) break
      if (!isWhole) open += 1
      const end = isWhole && quoted ? quoted.end : lineEnd
      const lines = 1 + (quoted ? countLines(text, from, end) : 0)
      const cells = isWhole && quoted ? quoted.cells : splitLine(text, from, lineEnd, separator)
      rows.push({ line, lines, cells, ...(!isWhole && { isOpen: true }) })
      line += lines
      from = end + 1
    }
    text = text.slice(from)
    return rows
  }

  let enough = 0
  for await (const piece of readPieces(source)) {
    text += decode(piece)
    // What is left of a row is read again from its beginning, which pieces of a few bytes would make the square of its length.
    if (text.length < enough) continue
    enough = 2 * text.length
    if (delimiter === undefined) {
      // Excel says in a line of its own what separates the cells.
      if (/^sep=.\r?\n/.test(text)) {
        text = text.slice(text.indexOf('\n') + 1)
        line += 1
      }
      if (!text.trimStart().includes('\n')) continue
      delimiter = detectDelimiter(text)
    }
    const rows = readBlock(false)
    enough = 2 * text.length
    if (rows.length > 0) yield rows
  }
  text += decode()
  delimiter ??= detectDelimiter(text)
  yield readBlock(true)
}
