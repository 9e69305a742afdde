import type { SalesOutcome, SalesPreviewRequest } from '@saleproof/schema/console'
import type { KeySealer } from '../crypto/key-vault.ts'
import type { Sql } from '../db/sql.ts'
import { type ImportRequest, type ImportResult, noCounts } from '../domain/imports.ts'
import { checkStaged, copyChecked, sumSales } from './check.ts'
import { changesNothing, type ImportPlan } from './copy.ts'
import { type Line, readLines } from './lines.ts'
import { createLineIssues, type LineIssues } from './problems.ts'
import { previewSales } from './sales/preview.ts'
import { readSales } from './sales/read-sales.ts'
import { createTally } from './sales/tally.ts'
import { createStage } from './stage.ts'
import { createStaged, type Staged } from './staged.ts'
import type { ImportTarget, Version } from './target.ts'

/** A migrated SQLite file, or the address of a migrated PostgreSQL database. */
export type ImportDatabase = { databaseFile: string } | { databaseUrl: string }

export interface ImportTask extends ImportRequest {
  vault: KeySealer
  /** Called when everything is checked, before the lock of the copy is waited for. */
  beforeCopy?: (() => void) | undefined
}

export type ImportOptions = ImportTask & ImportDatabase

/** A file of another kind gets one problem that says so, not one for each of its lines. */
function requireRecords({ number, text }: Line, lineIssues: LineIssues) {
  if (/^\s*[{["]/.test(text) || !/[,;\t|]|^--|^\/\*/.test(text)) return
  lineIssues.problem({ line: number, field: null, issue: 'csv' })
  lineIssues.refuseIfAny()
}

/** Reads the source into staging. The database itself is not touched, so that a slow source keeps nothing waiting. */
async function stageAll(target: ImportTarget, options: ImportTask, lineIssues: LineIssues) {
  const { source, vault, now, own, sales, progress, signal } = options
  const tally = lineIssues.sales
  const stage = { lineIssues, vault, now: now(), workspace: own?.workspace }
  const { stageLine, given } = createStage(target, stage)
  let hasBegun = false
  const blocks = sales && tally ? readSales(source, sales, tally, now()) : readLines(source)
  for await (const block of blocks) {
    if (!hasBegun && block[0] && !sales) requireRecords(block[0], lineIssues)
    hasBegun ||= block.length > 0
    for (const line of block) {
      const waiting = stageLine(line)
      if (waiting) await waiting
    }
    if (progress) progress[0] = block.at(-1)?.number ?? 0
    await target.flushIfNeeded?.()
    signal?.throwIfAborted()
  }
  lineIssues.refuseIfAny()
  return given
}

interface Checked {
  plan: ImportPlan
  outcome: SalesOutcome | undefined
}

async function checkAll(
  sql: Sql,
  staged: Staged,
  lineIssues: LineIssues,
  options: ImportTask,
): Promise<Checked> {
  const plan = await checkStaged(sql, staged, lineIssues, options)
  const { sales } = lineIssues
  if (!sales) return { plan, outcome: undefined }
  const { created, updated, unchanged } = plan.counts.purchase
  return { plan, outcome: sales.outcome(created + updated + unchanged, await sumSales(sql, staged)) }
}

/** Whether a file of sales has to be corrected first, or was not read to its end. */
const isRefused = ({ sales }: ImportTask, { sales: tally }: LineIssues) =>
  tally?.hasRejected() === true && (!sales?.skip_invalid || tally.isCut)

const toResult = (options: ImportTask, checked: Checked, lineIssues: LineIssues): ImportResult => ({
  counts: checked.plan.counts,
  ...lineIssues.warnings(),
  ...(checked.outcome && { sales: checked.outcome, refused: isRefused(options, lineIssues) }),
})

/** Looks at a sales file: nothing else is read. */
export const preview = async (
  source: ImportRequest['source'],
  request: SalesPreviewRequest,
): Promise<ImportResult> => ({
  counts: noCounts(),
  warnings: [],
  warningCount: 0,
  preview: await previewSales(source, request),
})

/** Imports into a target: all of it or nothing. */
export async function importTo(target: ImportTarget, options: ImportTask): Promise<ImportResult> {
  const { dryRun = false, maxErrors = 20, locale = 'en' } = options
  const lineIssues = createLineIssues({ maxErrors, locale, sales: options.sales && createTally() })
  const given = await stageAll(target, options, lineIssues)
  const staged = createStaged(target.dialect, given)
  const { warningCount } = lineIssues.warnings()
  const check = (sql: Sql) => checkAll(sql, staged, lineIssues, options)
  const writesNothing = (checked: Checked) =>
    dryRun || changesNothing(checked.plan.counts) || isRefused(options, lineIssues)
  const first = await target.check?.(check)
  if (first && writesNothing(first.result)) return toResult(options, first.result, lineIssues)

  async function copy(sql: Sql, version?: Version): Promise<Checked> {
    const isCurrent = first !== undefined && first.version === version
    if (!isCurrent) lineIssues.checkAgain(warningCount)
    const checked = isCurrent ? first.result : await check(sql)
    if (!writesNothing(checked)) await copyChecked(sql, checked.plan, { ...options, staged })
    return checked
  }
  options.beforeCopy?.()
  return toResult(options, await target.copy(copy), lineIssues)
}

/**
 * Loads records. All of the file is stored or nothing; throws an `ImportError` that lists what is wrong.
 *
 * In an SQLite file each of its statements holds up the thread: a process that serves uses `createImporter`.
 */
export async function importRecords(options: ImportOptions): Promise<ImportResult> {
  if (options.preview) return preview(options.source, options.preview)
  const act = (target: ImportTarget) => importTo(target, options)
  if ('databaseFile' in options) {
    const { withSqliteTarget } = await import('./sqlite.ts')
    return withSqliteTarget(options, act)
  }
  const { withPostgresTarget } = await import('./postgres.ts')
  return withPostgresTarget(options, act)
}
