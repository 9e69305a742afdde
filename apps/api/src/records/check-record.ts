import { type RecordIssue, recordIssues } from '@saleproof/schema/records'
import * as v from 'valibot'
import { fieldTypes } from './field-types.ts'
import type { RecordField } from './table.ts'
import { type Records, type RecordType, recordTables, recordTypes } from './tables.ts'
import { nest, type Tree } from './tree.ts'

/** What is wrong with a field; `null` is the record as a whole. */
export interface FieldIssue {
  field: string | null
  issue: RecordIssue
}

/** A checked record with its type. */
export type CheckedRecord = { [Type in RecordType]: { type: Type } & Records[Type] }[RecordType]

function fieldSchema({ type, optional }: RecordField): v.GenericSchema {
  const { schema } = fieldTypes[type]
  // What comes out is typed by `CheckedRecord`.
  return optional ? v.nullish(schema as v.GenericSchema) : schema
}

const objectEntries = (tree: Tree<RecordField>): v.ObjectEntries =>
  Object.fromEntries(
    [...tree].map(([name, node]) => [
      name,
      node instanceof Map ? v.strictObject(objectEntries(node)) : fieldSchema(node),
    ]),
  )

/** The schema of each record, with its fields in the order of an export. */
const schemas: ReadonlyMap<string, v.GenericSchema> = new Map(
  recordTypes.map((type) => {
    const entries = objectEntries(nest(recordTables[type].fields.map((field) => [field.path, field])))
    return [type, v.strictObject({ type: v.literal(type), ...entries })]
  }),
)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// In a line mangled by its writer, a code or a key can stand where a name should: only what reads like a name is repeated.
const plainName = /^[A-Za-z_]{1,24}$/

/** The dotted path of an issue, down to the last name that may be shown. */
function fieldPath(issue: v.BaseIssue<unknown>): string | null {
  const names: string[] = []
  for (const { key } of issue.path ?? []) {
    if (typeof key !== 'number' && !(typeof key === 'string' && plainName.test(key))) break
    names.push(String(key))
  }
  return names.length ? names.join('.') : null
}

const isIssueKey = (text: string): text is RecordIssue => Object.hasOwn(recordIssues.en, text)

function issueKey(issue: v.BaseIssue<unknown>): RecordIssue {
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown'
  if (issue.received === 'undefined' && issue.kind === 'schema') return 'required'
  return isIssueKey(issue.message) ? issue.message : 'type'
}

const fieldIssue = (issue: v.BaseIssue<unknown>): FieldIssue => ({
  field: fieldPath(issue),
  issue: issueKey(issue),
})

/** Checks a record of any type by its fields. The rules between fields come later, with its columns. */
export function checkRecord(value: unknown): { record: CheckedRecord } | { issues: FieldIssue[] } {
  if (!isObject(value)) return { issues: [{ field: null, issue: 'json' }] }
  const type = Object.hasOwn(value, 'type') ? value.type : undefined
  if (type === undefined) return { issues: [{ field: 'type', issue: 'required' }] }
  const schema = typeof type === 'string' ? schemas.get(type) : undefined
  if (!schema) return { issues: [{ field: 'type', issue: 'record_type' }] }
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (!result.success) return { issues: result.issues.map(fieldIssue) }
  // The schemas are made from the same tables as the types.
  return { record: result.output as CheckedRecord }
}
