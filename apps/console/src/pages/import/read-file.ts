import type { ImportedRecord } from '../../api/records.ts'

/** A file as it was read: a table to map, or records of the import format. */
export type ReadFile =
  | { kind: 'table'; columns: string[]; rows: Row[] }
  | { kind: 'records'; records: ImportedRecord[]; lines: number[] }
  | { kind: 'unreadable'; line: number }

export interface Row {
  /** The line of the file on which the row begins. */
  line: number
  cells: string[]
}

/** Text of a file: UTF-8, or UTF-16 with a byte order mark, as spreadsheets save it. */
async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function readLines(text: string): ReadFile {
  const records: ImportedRecord[] = []
  const lines: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.trim()) continue
    try {
      const value: unknown = JSON.parse(line)
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new TypeError('no object')
      // An export names the workspace; here it is the one that is open.
      const { workspace: _, ...record } = value as ImportedRecord
      records.push(record)
      lines.push(index + 1)
    } catch {
      return { kind: 'unreadable', line: index + 1 }
    }
  }
  return { kind: 'records', records, lines }
}

/** Our own export writes an apostrophe before what a spreadsheet would run as a formula. */
const withoutGuard = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** The separator of the first line that comes most often. */
function delimiterOf(text: string): string {
  const [head = ''] = text.trimStart().split('\n', 1)
  const count = (separator: string) => head.split(separator).length
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

async function readTable(text: string): Promise<ReadFile> {
  const { default: papa } = await import('papaparse')
  const { data } = papa.parse<string[]>(text, { delimiter: delimiterOf(text) })
  let line = 1
  const rows = data.map((cells): Row => {
    const row = { line, cells: cells.map((cell) => withoutGuard(cell.trim())) }
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0)
    return row
  })
  const [head, ...body] = rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { kind: 'table', columns: head?.cells ?? [], rows: body }
}

/** Reads CSV with any separator, or NDJSON. */
export async function readFile(file: Blob): Promise<ReadFile> {
  const text = await textOf(file)
  return /^\s*\{/.test(text) ? readLines(text) : readTable(text)
}
