import { cleanPastedCode } from '@saleproof/schema'
import type { ConsoleImport, ConsoleImportProblem } from '@saleproof/schema/console'
import { type RecordIssue, recordIssues } from '@saleproof/schema/records'
import { retryAfterSeconds } from '../http/error-response.ts'
import type { RequestContext } from '../http/state.ts'
import { ImportError, type ImportProblem, type ImportResult } from '../import-export/import.ts'
import { ConsoleError } from './console-error.ts'
import type { Call, HandlerOptions, Handlers, WorkspaceModel } from './handler.ts'

/** As many problems as a person reads. */
const maxErrors = 100

type ImportedRecord = Call<'importRecords'>['request']['records'][number]

interface Checked {
  record: number
  field: string | null
  issue: RecordIssue
}

const noCount = { created: 0, updated: 0, unchanged: 0 } as const
const nothing = { items: noCount, purchases: noCount } as const

const toProblem = ({ line, member, message }: ImportProblem): ConsoleImportProblem => ({
  record: line - 1,
  field: member,
  message,
})

const isItemId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Aborts when the browser disconnects: what cannot be confirmed is not stored. */
function abortOnDisconnect({ res }: RequestContext): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => controller.abort(new ConsoleError('malformed_body')))
  return controller.signal
}

/** One record a line, as an import reads them. */
async function* toLines(records: readonly ImportedRecord[], slug: string) {
  for (const record of records) {
    const scoped = record.type === 'item' ? { ...record, workspace: slug } : record
    yield Buffer.from(`${JSON.stringify(scoped)}\n`)
  }
}

type ImportHandlers = Pick<Handlers, 'importRecords'>

/** Imports items and purchases of one workspace, by the rules of every import. */
export function createImportHandler({ prisma, importRecords }: HandlerOptions): ImportHandlers {
  /** The accounts that an import is running for. */
  const running = new Set<string>()

  /** The ids of records that are already stored. */
  async function storedIds(workspaceId: string, ids: readonly number[]): Promise<Set<number>> {
    const rows = await prisma.item.findMany({
      where: { workspaceId, id: { in: ids.map(BigInt) } },
      select: { id: true },
    })
    return new Set(rows.map(({ id }) => Number(id)))
  }

  async function storedCodes(workspaceId: string, codes: readonly string[]): Promise<Set<string>> {
    const rows = await prisma.purchase.findMany({
      where: { workspaceId, code: { in: [...codes] } },
      select: { code: true },
    })
    return new Set(rows.map(({ code }) => code))
  }

  /** The rules of the console: items and purchases alone, and only of this workspace. */
  async function check({ id }: WorkspaceModel, records: readonly ImportedRecord[], onlyNew: boolean) {
    const items = records.flatMap((record) =>
      record.type === 'item' && isItemId(record.id) ? record.id : [],
    )
    const sold = records.flatMap(({ type, item }) => (type === 'purchase' && isItemId(item) ? item : []))
    const codes = records.flatMap(({ type, purchase_code: code }) =>
      type === 'purchase' && typeof code === 'string' ? cleanPastedCode(code) : [],
    )
    const stored = await storedIds(id, [...new Set([...items, ...sold])])
    const known = new Set([...stored, ...items])
    const sales = onlyNew ? await storedCodes(id, codes) : new Set()
    return records.flatMap((record, index): Checked[] => {
      if (record.type !== 'item' && record.type !== 'purchase')
        return [{ record: index, field: 'type', issue: 'record_type' }]
      if ('workspace' in record) return [{ record: index, field: 'workspace', issue: 'unknown' }]
      if (record.type === 'purchase' && isItemId(record.item) && !known.has(record.item))
        return [{ record: index, field: 'item', issue: 'unknown_item' }]
      if (onlyNew && record.type === 'item' && stored.has(Number(record.id)))
        return [{ record: index, field: 'id', issue: 'already_stored' }]
      if (sales.has(cleanPastedCode(String(record.purchase_code))))
        return [{ record: index, field: 'purchase_code', issue: 'already_stored' }]
      return []
    })
  }

  async function run({ ctx, owner, workspace, request }: Call<'importRecords'>): Promise<ImportResult> {
    return importRecords({
      source: toLines(request.records, workspace.slug),
      actor: `console:${owner.account.id}`,
      // Only the forms of the console ask for one new record.
      byHand: request.only_new === true && request.records.length === 1,
      dryRun: request.dry_run,
      maxErrors,
      locale: request.locale,
      signal: abortOnDisconnect(ctx),
    })
  }

  async function importOf(call: Call<'importRecords'>): Promise<ConsoleImport> {
    const { records, only_new: onlyNew = false, dry_run: dryRun = false, locale = 'en' } = call.request
    const found = await check(call.workspace, records, onlyNew)
    const refused = { stored: false, warnings: [], counts: nothing }
    if (found.length) {
      const problems = found.slice(0, maxErrors).map(({ record, field, issue }) => ({
        record,
        field,
        message: recordIssues[locale][issue],
      }))
      return { ...refused, problems, more: found.length > maxErrors }
    }
    try {
      const { counts, warnings } = await run(call)
      const { item, purchase } = counts
      return {
        stored: !dryRun,
        problems: [],
        more: false,
        warnings: warnings.map(toProblem),
        counts: { items: item, purchases: purchase },
      }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      return { ...refused, problems: error.problems.map(toProblem), more: error.more }
    }
  }

  return {
    async importRecords(call) {
      const { id } = call.owner.account
      if (running.has(id)) throw new ConsoleError('too_many_imports', { retryAfter: retryAfterSeconds })
      running.add(id)
      try {
        return await importOf(call)
      } finally {
        running.delete(id)
      }
    },
  }
}
