import type { WriteScope } from '../db/database.ts'
import type { DatabaseErrorKind } from '../db/error-kinds.ts'
import { DatabaseError } from '../db/errors.ts'
import type { Sql } from '../db/sql.ts'
import type { ImportCounts, ImportRequest, ImportResult } from '../domain/imports.ts'
import { checkStaged, copyChecked } from './check.ts'
import { changesNothing } from './copy.ts'
import { createFewRecords, type FewTarget } from './few.ts'
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

async function importTo(target: ImportTarget, options: ImportTask): Promise<ImportResult> {
  const { dryRun = false, maxErrors = 20, locale = 'en', own, onProgress } = options
  const lineIssues = createLineIssues({ maxErrors, locale })
  return refusing(lineIssues, async () => {
    const { lines, given } = await stageAll(target, options, lineIssues)
    const staged = createStaged(target.dialect, given)
    onProgress?.({ phase: 'checking', lines })
    const { warningCount } = lineIssues.warnings()
    const check = (sql: Sql) => checkStaged(sql, staged, lineIssues, own)
    const { plan, version } = await target.check(check)
    if (dryRun || changesNothing(plan.counts)) return { counts: plan.counts, ...lineIssues.warnings() }
    onProgress?.({ phase: 'copying', lines })

    async function copy(sql: Sql, found: Version): Promise<ImportCounts> {
      if (found !== version) lineIssues.forgetWarningsAfter(warningCount)
      const current = found === version ? plan : await check(sql)
      if (!changesNothing(current.counts)) await copyChecked(sql, current, { ...options, staged })
      return current.counts
    }
    return { counts: await target.copy(copy), ...lineIssues.warnings() }
  })
}

/** Errors of an import whose records were checked before others changed what they are about. */
const outrun: ReadonlySet<DatabaseErrorKind> = new Set(['not_unique', 'missing_reference'])

/** Imports few records in one transaction of a process that serves, without a thread for them. */
export async function importFew(target: FewTarget, options: ImportTask): Promise<ImportResult> {
  const { dryRun = false, maxErrors = 20, locale = 'en', onProgress, signal } = options
  const records = createFewRecords(target, signal)
  const lineIssues = createLineIssues({ maxErrors, locale })
  return refusing(lineIssues, async () => {
    const { lines, given } = await stageAll(records, options, lineIssues)
    const staged = createStaged(target.dialect, given)
    onProgress?.({ phase: 'checking', lines })
    const { warningCount } = lineIssues.warnings()

    async function checkAndCopy(sql: Sql): Promise<ImportCounts> {
      const plan = await checkStaged(sql, staged, lineIssues, options.own)
      if (dryRun || changesNothing(plan.counts)) return plan.counts
      onProgress?.({ phase: 'copying', lines })
      await copyChecked(sql, plan, { ...options, staged })
      return plan.counts
    }
    const run = (scope?: WriteScope) =>
      target.transact((sql) => records.withStaged(sql, () => checkAndCopy(sql)), {
        readonly: dryRun,
        prepare: target.dialect.prepare,
        signal,
        ...(scope && { scope }),
      })

    /**
     * Ids of items and keys are unique in the whole deployment: another workspace may take one at the same time. Another program may
     * remove what a sale refers to.
     */
    function runAgain(error: unknown) {
      const isOutrun = error instanceof DatabaseError && outrun.has(error.kind)
      if (!isOutrun) throw error
      lineIssues.forgetWarningsAfter(warningCount)
      return run()
    }

    const scope = records.scope()
    const counts = scope ? await run(scope).catch(runAgain) : await run()
    return { counts, ...lineIssues.warnings() }
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
