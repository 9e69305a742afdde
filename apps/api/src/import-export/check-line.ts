import type { RecordIssue } from '@saleproof/schema/records'
import { type CheckedRecord, checkRecord, type FieldIssue } from '../records/check-record.ts'

const wholeLine = (issue: RecordIssue) => ({ issues: [{ field: null, issue }] })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser quotes the line.
    return undefined
  }
}

const strings = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/** How many fields the text of a JSON value has: in it, a string before a colon is always a name. */
function countWritten(text: string): number {
  let count = 0
  for (const match of text.matchAll(strings)) if (match[1] !== undefined) count += 1
  return count
}

/** How many fields are left of a value that was checked, so that it is nested a few levels at most. */
function countParsed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const own = Array.isArray(value) ? 0 : inner.length
  return inner.reduce<number>((sum, each) => sum + countParsed(each), own)
}

/** Items and purchases alone, of this workspace: an export names the one that it was made of. */
export function checkOwnRecord(value: unknown, workspace: string) {
  if (typeof value !== 'object' || value === null || !('type' in value)) return checkRecord(value)
  if (value.type !== 'item' && value.type !== 'purchase')
    return { issues: [{ field: 'type', issue: 'own_record_type' } as const] }
  return checkRecord(value.type === 'item' ? { ...value, workspace } : value)
}

/**
 * Reads one line as one record, of a workspace perhaps. `JSON.parse` takes the last of two fields with one name in silence; this does
 * not.
 */
export function checkLine(
  text: string,
  workspace?: string,
): { record: CheckedRecord } | { issues: FieldIssue[] } {
  const value = parse(text)
  const checked = workspace === undefined ? checkRecord(value) : checkOwnRecord(value, workspace)
  if ('issues' in checked) return checked
  const isAdded = workspace !== undefined && !Object.hasOwn(Object(value), 'workspace')
  const added = isAdded && checked.record.type === 'item' ? 1 : 0
  return countWritten(text) + added === countParsed(checked.record) ? checked : wholeLine('duplicate_field')
}
