import { type RecordIssue, recordIssues } from '@saleproof/schema/records'
import * as v from 'valibot'
import { type ImportRecord, recordSchemas } from './records.ts'

export interface MemberIssue {
  member: string | null
  issue: RecordIssue
}

export type CheckedLine = { record: ImportRecord } | { issues: MemberIssue[] }

const whole = (issue: RecordIssue): CheckedLine => ({ issues: [{ member: null, issue }] })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser quotes the line.
    return undefined
  }
}

// In a line mangled by its writer, a code or a key can stand where a name should: only what reads like a name is repeated.
const plainName = /^[A-Za-z_]{1,24}$/

/** The dotted path of an issue, down to the last name that may be shown. */
function memberPath(issue: v.BaseIssue<unknown>): string | null {
  const names: string[] = []
  for (const { key } of issue.path ?? []) {
    if (typeof key !== 'number' && !(typeof key === 'string' && plainName.test(key))) break
    names.push(String(key))
  }
  return names.length ? names.join('.') : null
}

function issueKey(issue: v.BaseIssue<unknown>): RecordIssue {
  if (Object.hasOwn(recordIssues.en, issue.message)) return issue.message as RecordIssue
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown'
  if (issue.received === 'undefined' && issue.kind === 'schema') return 'required'
  return 'type'
}

function memberIssue(issue: v.BaseIssue<unknown>): MemberIssue {
  const key = issueKey(issue)
  const missing = issue.received === 'undefined' && issue.kind === 'schema' && key !== 'unknown'
  return { member: memberPath(issue), issue: missing ? 'required' : key }
}

const strings = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/** How many members the text of a JSON value has: in it, a string before a colon is always a name. */
function countWritten(text: string): number {
  let count = 0
  for (const match of text.matchAll(strings)) if (match[1] !== undefined) count += 1
  return count
}

/** How many members are left of a value whose form was checked, so that it is nested a few levels at most. */
function countParsed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const own = Array.isArray(value) ? 0 : inner.length
  return inner.reduce<number>((sum, each) => sum + countParsed(each), own)
}

/** Reads one line as one record. `JSON.parse` takes the last of two members with one name in silence; this does not. */
export function checkLine(text: string): CheckedLine {
  const value = parse(text)
  if (!isObject(value)) return whole('json')
  const type = Object.hasOwn(value, 'type') ? value.type : undefined
  if (type === undefined) return { issues: [{ member: 'type', issue: 'required' }] }
  if (typeof type !== 'string' || !Object.hasOwn(recordSchemas, type)) {
    return { issues: [{ member: 'type', issue: 'record_type' }] }
  }
  const schema = recordSchemas[type as keyof typeof recordSchemas]
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (!result.success) return { issues: result.issues.map(memberIssue) }
  return countWritten(text) === countParsed(value) ? { record: result.output } : whole('member_twice')
}
