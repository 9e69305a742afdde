import type { ImportedRecord } from '@saleproof/schema/console'

/** A file as it was read: sales, which the service reads, or records of the import format. */
export type ReadFile =
  | { kind: 'sales'; file: File }
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

/** Reads NDJSON; any other file is one of sales. */
export async function readFile(file: File): Promise<ReadFile> {
  const isRecords = /^\s*\{/.test(await file.slice(0, 1024).text())
  return isRecords ? readLines(await file.text()) : { kind: 'sales', file }
}
