import type { Sql } from '../db/sql.ts'
import type { ImportCounts, ImportRequest, ImportResult } from '../domain/imports.ts'
import { checkStaged, copyChecked } from './check.ts'
import { changesNothing } from './copy.ts'
import { type Line, readLines } from './lines.ts'
import { createLineIssues, type LineIssues, refusing } from './problems.ts'
import { createStage, type KeySealer } from './stage.ts'
import { createStaged } from './staged.ts'
import type { ImportTarget, Version } from './target.ts'

/** A migrated SQLite file, or the address of a migrated PostgreSQL database. */
export type ImportDatabase = { databaseFile: string } | { databaseUrl: string }

export interface ImportTask extends ImportRequest {
  vault: KeySealer
}

export type ImportOptions = ImportTask & ImportDatabase

/** A file of another kind gets one problem that says so, not one for each of its lines. */
function requireRecords({ number, text, issue }: Line, lineIssues: LineIssues) {
  const isCsv = !issue && !/^\s*[{["]/.test(text) && /[,;\t|]/.test(text)
  if (!isCsv && issue !== 'utf16') return
  lineIssues.problem({ line: number, field: null, issue: isCsv ? 'csv' : 'utf16' })
  throw lineIssues.refusal(false)
}

/** Reads the source into staging. The database itself is not touched, so that a slow source keeps nothing waiting. */
async function stageAll(
  { writer, passwords }: Pick<ImportTarget, 'writer' | 'passwords'>,
  options: ImportTask,
  lineIssues: LineIssues,
) {
  const { source, vault, now, own, onProgress, signal } = options
  const { stageLine, given } = createStage({
    writer,
    lineIssues,
    vault,
    now: now(),
    passwords,
    workspace: own?.workspace,
  })
  let lines = 0
  await writer.begin()
  for await (const block of readLines(source)) {
    if (lines === 0 && block[0]) requireRecords(block[0], lineIssues)
    for (const line of block) {
      const waiting = stageLine(line)
      if (waiting) await waiting
    }
    const relief = writer.flushIfNeeded()
    if (relief) await relief
    lines = block.at(-1)?.number ?? lines
    onProgress?.({ phase: 'reading', lines })
    signal?.throwIfAborted()
  }
  await writer.end()
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  return { lines, given }
}

/** Imports into a target: all of it or nothing. */
export async function importTo(target: ImportTarget, options: ImportTask): Promise<ImportResult> {
  const { dryRun = false, maxErrors = 20, locale = 'en', own, onProgress } = options
  const lineIssues = createLineIssues({ maxErrors, locale })
  return refusing(lineIssues, async () => {
    const { lines, given } = await stageAll(target, options, lineIssues)
    const staged = createStaged(target.dialect, given)
    onProgress?.({ phase: 'checking', lines })
    const { warningCount } = lineIssues.warnings()
    const check = (sql: Sql) => checkStaged(sql, staged, lineIssues, own)
    const checked = await target.check?.(check)
    if (checked && (dryRun || changesNothing(checked.plan.counts)))
      return { counts: checked.plan.counts, ...lineIssues.warnings() }

    async function copy(sql: Sql, version?: Version): Promise<ImportCounts> {
      const isCurrent = checked !== undefined && checked.version === version
      if (!isCurrent) lineIssues.forgetWarningsAfter(warningCount)
      const plan = isCurrent ? checked.plan : await check(sql)
      if (!dryRun && !changesNothing(plan.counts)) await copyChecked(sql, plan, { ...options, staged })
      return plan.counts
    }
    onProgress?.({ phase: 'copying', lines })
    return { counts: await target.copy(copy), ...lineIssues.warnings() }
  })
}

/**
 * Loads records. All of the file is stored or nothing; throws an `ImportError` that lists what is wrong.
 *
 * In an SQLite file each of its statements holds up the thread: a process that serves uses `createImporter`.
 */
export async function importRecords(options: ImportOptions): Promise<ImportResult> {
  const act = (target: ImportTarget) => importTo(target, options)
  if ('databaseFile' in options) {
    const { withSqliteTarget } = await import('./sqlite-target.ts')
    return withSqliteTarget(options, act)
  }
  const { withPostgresTarget } = await import('./postgres/target.ts')
  return withPostgresTarget(options, act)
}
