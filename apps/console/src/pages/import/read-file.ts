import type { ImportedRecord } from '@saleproof/schema/console'
import { decodeText, readSalesTable, type SalesTable } from '@saleproof/schema/sales-file'

/** A file as it was read: a table to map, or records of the import format. */
export type ReadFile =
  | { kind: 'table'; table: SalesTable }
  | { kind: 'records'; records: ImportedRecord[]; lines: number[] }
  | { kind: 'unreadable'; line: number }

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
      const { workspace: _, ...record } = value as Record<string, unknown>
      // The service checks it.
      records.push(record as unknown as ImportedRecord)
      lines.push(index + 1)
    } catch {
      return { kind: 'unreadable', line: index + 1 }
    }
  }
  return { kind: 'records', records, lines }
}

/** Reads CSV with any separator, or NDJSON. */
export async function readFile(file: Blob): Promise<ReadFile> {
  const text = decodeText(new Uint8Array(await file.arrayBuffer()))
  return /^\s*\{/.test(text) ? readLines(text) : { kind: 'table', table: readSalesTable(text) }
}
