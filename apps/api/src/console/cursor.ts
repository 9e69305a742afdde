import * as v from 'valibot'
import { invalid } from './console-error.ts'

/** What rows are sorted by, before their id. */
export type SortValue = string | number | Date

/** Encodes the last row of a page; the next page starts after it. */
export function encodeCursor(value: SortValue, id: string | number): string {
  const values = [value instanceof Date ? { at: value.getTime() } : value, id]
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The years 0 to 9999, which every database accepts. */
const earliest = Date.UTC(-1, 12)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A forged cursor may contain anything, and must not look like a database error. */
const schemas = {
  date: v.pipe(
    v.strictObject({ at: v.pipe(v.number(), v.integer(), v.minValue(earliest), v.maxValue(latest)) }),
    v.transform(({ at }): SortValue => new Date(at)),
  ),
  text: v.pipe(
    v.string(),
    v.check((text) => text.isWellFormed() && !text.includes('\0')),
  ),
  number: v.pipe(v.number(), v.safeInteger()),
}

interface CursorTypes {
  value: keyof typeof schemas
  id: 'text' | 'number'
}

/** Decodes a cursor that belongs to this sort order. */
export function decodeCursor(text: string, types: CursorTypes): [value: SortValue, id: string | number] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return v.parse(v.strictTuple([schemas[types.value], schemas[types.id]]), values)
  } catch {
    throw invalid('cursor', 'cursor')
  }
}
