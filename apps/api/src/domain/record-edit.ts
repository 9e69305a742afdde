import type { WorkspaceModel } from '../db/prisma.ts'
import { checkRecord, type FieldIssue } from '../records/check-record.ts'
import { prismaColumns } from '../records/columns.ts'
import { itemTable } from '../records/item.ts'
import { createRecordPresenter } from '../records/present.ts'
import { purchaseTable } from '../records/purchase.ts'
import type { ReportIssue } from '../records/table.ts'
import { createReader, nest, toObject } from '../records/tree.ts'
import type { Changes } from './audit-log.ts'

/** Values of fields by their paths, such as `media.thumbnail`. */
type Values = Readonly<Record<string, unknown>>

export interface Edit {
  changes: Values
  /** What each of these fields held when it was read. */
  before: Values
}

export interface EditResult {
  issues: readonly FieldIssue[]
  /** What fields hold that were changed since they were read. */
  conflicts: Values
}

const kinds = {
  item: { table: itemTable, present: createRecordPresenter<object>(itemTable, null) },
  purchase: { table: purchaseTable, present: createRecordPresenter<object>(purchaseTable, null) },
} as const

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** What an edit changes of a stored record: nothing, where something is wrong with the edit. */
function planEdit(type: keyof typeof kinds, stored: object, { changes, before }: Edit) {
  const { table } = kinds[type]
  const storedValue = (path: string) => createReader(path)(stored)
  const paths = Object.keys(changes).filter((path) => !isSame(changes[path], storedValue(path)))
  const issues: FieldIssue[] = []
  const report: ReportIssue = (field, issue) => void issues.push({ field, issue })
  for (const path of paths)
    if (!table.fields.some((field) => field.path === path && !field.fixed)) report(path, 'unknown')
  const conflicting = paths.filter((path) => !isSame(before[path], storedValue(path)))
  const conflicts = Object.fromEntries(conflicting.map((path) => [path, storedValue(path)]))
  const values = table.fields.map(({ path }): [string, unknown] => [
    path,
    Object.hasOwn(changes, path) ? changes[path] : storedValue(path),
  ])
  const checked = checkRecord({ type, ...toObject(nest(values.filter(([, value]) => value !== undefined))) })
  if ('issues' in checked) issues.push(...checked.issues)
  if (issues.length > 0 || 'issues' in checked) return { result: { issues, conflicts }, paths: [], data: {} }
  if (checked.record.type === 'item') itemTable.check(checked.record, report)
  const columns = prismaColumns(table, checked.record, report)
  const isStored = issues.length === 0 && conflicting.length === 0
  const data = table.fields.flatMap(({ path, column, storage }) => {
    // Minor units are those of the currency.
    const isChanged = paths.includes(path) || (storage === 'money' && paths.includes('currency'))
    return column && isChanged ? [[column, columns[column]]] : []
  })
  return { result: { issues, conflicts }, paths: isStored ? paths : [], data: Object.fromEntries(data) }
}

/** Edits single fields of stored records; `undefined` where there is none. What others changed of them meanwhile is not taken back. */
export function createRecordEdits({ transact, record }: Pick<Changes, 'transact' | 'record'>) {
  return {
    item: ({ id: workspaceId, slug }: WorkspaceModel, id: bigint, edit: Edit) =>
      transact(async (tx): Promise<EditResult | undefined> => {
        const where = { workspaceId_id: { workspaceId, id } }
        const row = await tx.item.findUnique({ where })
        if (!row) return undefined
        const stored = { ...kinds.item.present(row), workspace: slug }
        const { result, paths, data } = planEdit('item', stored, edit)
        if (paths.length === 0) return result
        await tx.item.update({ where, data })
        await record(tx, { action: 'item.edited', workspaceId, subject: String(id) })
        return result
      }, workspaceId),

    purchase: ({ id: workspaceId }: WorkspaceModel, code: string, edit: Edit) =>
      transact(async (tx): Promise<EditResult | undefined> => {
        const where = { workspaceId_code: { workspaceId, code } }
        const row = await tx.purchase.findUnique({ where })
        if (!row) return undefined
        const { result, paths, data } = planEdit('purchase', kinds.purchase.present(row), edit)
        if (paths.length === 0) return result
        await tx.purchase.update({ where, data })
        const subject = String(row.itemId)
        const entry = await record(tx, { action: 'purchase.edited', workspaceId, subject })
        const { state } = row
        await tx.purchaseChange.create({ data: { workspaceId, code, entry, state, fields: paths.join() } })
        return result
      }, workspaceId),
  }
}
