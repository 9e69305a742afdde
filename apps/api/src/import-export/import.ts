import type { WriteScope } from '../db/database.ts'
import type { DatabaseErrorKind } from '../db/error-kinds.ts'
import { DatabaseError } from '../db/errors.ts'
import type { SqlSteps } from '../db/sql-steps.ts'
import type { ImportCounts, ImportRequest, ImportResult } from '../domain/imports.ts'
import { checkStaged, copyChecked } from './check.ts'
import { changesNothing, ofWorkspaces } from './copy.ts'
import { createInlineStaging, storedHash } from './inline-staging.ts'
import { type Line, readLines } from './lines.ts'
import { createLineIssues, type LineIssues, refusing } from './problems.ts'
import { createStage, type KeySealer } from './stage.ts'
import { stagedTables } from './staged.ts'
import type { ImportTarget, InlineTarget, Version } from './target.ts'
import { createPlannedViews, createUpserts } from './upserts.ts'

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
  const { source, vault, now, own, onProgress, throwIfAborted } = options
  const stageLine = createStage({
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
    throwIfAborted?.()
  }
  await writer.end()
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  return lines
}

async function importTo(target: ImportTarget, options: ImportTask): Promise<ImportResult> {
  const { dryRun = false, maxErrors = 20, locale = 'en', own, onProgress } = options
  const { dialect } = target
  const staged = stagedTables(dialect)
  const upserts = createUpserts(dialect, String(options.now().getTime()))
  const lineIssues = createLineIssues({ maxErrors, locale })
  return refusing(lineIssues, async () => {
    const lines = await stageAll(target, options, lineIssues)
    onProgress?.({ phase: 'checking', lines })
    const { warningCount } = lineIssues.warnings()
    const check = () => checkStaged(staged, lineIssues, own)
    const { plan, version } = await target.check(createPlannedViews(dialect, upserts), check())
    if (dryRun || changesNothing(plan.counts)) return { counts: plan.counts, ...lineIssues.warnings() }
    onProgress?.({ phase: 'copying', lines })

    function* copy(found: Version): SqlSteps<ImportCounts> {
      if (found !== version) lineIssues.forgetWarningsAfter(warningCount)
      const current = found === version ? plan : yield* check()
      if (!changesNothing(current.counts)) yield* copyChecked(current, { ...options, staged, upserts })
      return current.counts
    }
    return { counts: await target.copy(copy), ...lineIssues.warnings() }
  })
}

/** Workspaces that records are about; null where one is not stored, or not yet. */
const workspacesOf = `SELECT CAST(w."id" AS text) AS "id" FROM (SELECT "slug" FROM sold_item UNION SELECT "workspace" FROM item
    UNION SELECT "workspace" FROM api_key) s LEFT JOIN "Workspace" w ON w."slug" = s."slug"`

/** Errors of an import whose records were checked before others changed what they are about. */
const outrun: ReadonlySet<DatabaseErrorKind> = new Set(['not_unique', 'missing_reference'])

/** Imports few records in one transaction of a process that serves, without a table or a thread for them. */
export async function importInline(target: InlineTarget, options: ImportTask): Promise<ImportResult> {
  const { dryRun = false, maxErrors = 20, locale = 'en', onProgress, throwIfAborted = () => {} } = options
  const { writer, staged, upserts, passwordHash } = createInlineStaging(target.reader, options.now())
  const lineIssues = createLineIssues({ maxErrors, locale })
  const passwords = {
    staged: passwordHash,
    stored: (username: string) =>
      target.transact(() => storedHash(staged, username), { readonly: true, throwIfAborted }),
  }
  return refusing(lineIssues, async () => {
    const lines = await stageAll({ writer, passwords }, options, lineIssues)
    onProgress?.({ phase: 'checking', lines })
    const { warningCount } = lineIssues.warnings()

    function* checkAndCopy(): SqlSteps<ImportCounts> {
      const plan = yield* checkStaged(staged, lineIssues, options.own)
      if (dryRun || changesNothing(plan.counts)) return plan.counts
      onProgress?.({ phase: 'copying', lines })
      yield* copyChecked(plan, { ...options, staged, upserts })
      return plan.counts
    }
    const run = (scope?: WriteScope) =>
      target.transact(checkAndCopy, { readonly: dryRun, throwIfAborted, ...(scope && { scope }) })

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

    const isOfWorkspaces = staged.types.every((type) => ofWorkspaces.has(type))
    const counts = isOfWorkspaces ? await run(staged.reading(workspacesOf)).catch(runAgain) : await run()
    return { counts, ...lineIssues.warnings() }
  })
}

/**
 * Loads records. All of the file is stored or nothing; throws an `ImportError` that lists what is wrong.
 *
 * Between the chunks of the source it works synchronously, and in an SQLite file the copy is one step: a process that serves uses
 * `createImporter`.
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
