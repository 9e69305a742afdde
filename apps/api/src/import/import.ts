import type { Locale } from '@saleproof/schema'
import Database from 'better-sqlite3'
import { appendAuditTo } from '../audit/append-to-file.ts'
import type { AuditSealer } from '../audit/chain.ts'
import { changesNothing, copyStaged, countChanges, type ImportCounts } from './copy.ts'
import { type EventOfImport, madeEvents, plannedEvents } from './events.ts'
import { readLines } from './lines.ts'
import { createPasswords } from './passwords.ts'
import { createFindings, type Findings, type ImportProblem, refusing } from './problems.ts'
import { findRepeats, indexStaged } from './repeats.ts'
import { applyRules, findHomes } from './rules.ts'
import { createStage, type KeySealer } from './stage.ts'
import { createStagingWriter, openWithStaging, type StagedDatabase } from './staging.ts'
import { createPlannedViews } from './targets.ts'

export type { Count, ImportCounts } from './copy.ts'
export { ImportError, type ImportProblem } from './problems.ts'

export interface ImportResult {
  counts: ImportCounts
  /** The first of the warnings, as many as errors would be listed. */
  warnings: readonly ImportProblem[]
  /** How many warnings there were in all. */
  warningCount: number
}

export interface ImportProgress {
  phase: 'reading' | 'checking' | 'copying'
  /** The line that was read last. */
  lines: number
}

export interface ImportOptions {
  /** NDJSON, in chunks of any size. */
  source: AsyncIterable<Uint8Array>
  /** A migrated SQLite file. */
  databaseFile: string
  vault: KeySealer & AuditSealer
  /** Who imports, for the audit log. */
  actor?: 'cli' | 'admin-import' | undefined
  now: () => Date
  /** Check everything, store nothing. */
  dryRun?: boolean | undefined
  maxErrors?: number | undefined
  /** The language of problems and warnings. */
  locale?: Locale | undefined
  onProgress?: ((progress: ImportProgress) => void) | undefined
}

/** Reads the source into staging. The database itself is not touched, so that a slow source keeps nothing waiting. */
async function stageAll(db: StagedDatabase, options: ImportOptions, findings: Findings): Promise<number> {
  const { source, databaseFile, vault, now, onProgress } = options
  const storedHash = (username: string) => {
    const other = new Database(databaseFile, { fileMustExist: true, timeout: 5000 })
    try {
      const query = other.prepare<[string], string | null>(
        'SELECT passwordHash FROM Account WHERE username = ?',
      )
      return query.pluck().get(username) ?? undefined
    } finally {
      other.close()
    }
  }
  const writer = createStagingWriter(db)
  const passwords = createPasswords({ db, stored: { passwordHash: storedHash } })
  const stageLine = createStage({ writer, findings, passwords, vault, now: now() })
  let lines = 0
  writer.begin()
  for await (const block of readLines(source)) {
    for (const line of block) {
      const waiting = stageLine(line)
      if (waiting) await waiting
    }
    lines = block.at(-1)?.number ?? lines
    onProgress?.({ phase: 'reading', lines })
  }
  writer.end()
  return lines
}

/** Checks what is staged against what is stored, and says what writing it would do. */
function check(db: StagedDatabase, findings: Findings): ImportCounts {
  findHomes(db)
  applyRules(db, findings)
  findRepeats(db, (line, member) => findings.problem({ line, member, issue: 'given_twice' }))
  if (findings.hasProblems()) throw findings.refusal(false)
  return countChanges(db)
}

const dataVersion = (db: StagedDatabase) => db.pragma('main.data_version', { simple: true }) as number

/** Checks in a snapshot of the database, for which nobody has to wait. */
function checkInSnapshot(db: StagedDatabase, findings: Findings) {
  const { warningCount } = findings.warnings()
  indexStaged(db)
  createPlannedViews(db)
  return db.transaction(() => {
    const counts = check(db, findings)
    return { counts, version: dataVersion(db), warningCount }
  })()
}

/** The write lock is held for the copy alone, unless somebody wrote after the check: then it is made again. */
function copyUnderLock(
  db: StagedDatabase,
  findings: Findings,
  checked: ReturnType<typeof checkInSnapshot>,
  record: (events: readonly EventOfImport[]) => void,
): ImportCounts {
  const checkedAgain = () => {
    findings.forgetWarningsAfter(checked.warningCount)
    return check(db, findings)
  }
  return db
    .transaction(() => {
      const counts = dataVersion(db) === checked.version ? checked.counts : checkedAgain()
      if (changesNothing(counts)) return counts
      const planned = plannedEvents(db, counts)
      copyStaged(db, counts)
      record([...planned, ...madeEvents(db, counts)])
      return counts
    })
    .immediate()
}

/**
 * Loads records. All of the file is stored or nothing; throws an `ImportError` that lists what is wrong.
 *
 * Between the chunks of the source it works synchronously and the copy is one step: a process that serves uses
 * `importInWorker`.
 */
export async function importRecords(options: ImportOptions): Promise<ImportResult> {
  const { databaseFile, dryRun = false, maxErrors = 20, locale = 'en', onProgress } = options
  const { vault, actor = 'cli', now } = options
  const findings = createFindings({ maxErrors, locale })
  const { db, close } = openWithStaging({ databaseFile })
  try {
    return await refusing(findings, async () => {
      const lines = await stageAll(db, options, findings)
      if (findings.hasProblems()) throw findings.refusal(false)
      onProgress?.({ phase: 'checking', lines })
      const checked = checkInSnapshot(db, findings)
      if (dryRun || changesNothing(checked.counts)) return { counts: checked.counts, ...findings.warnings() }
      onProgress?.({ phase: 'copying', lines })
      const counts = copyUnderLock(db, findings, checked, (events) => {
        const at = now()
        appendAuditTo(
          db,
          events.map((event) => ({ at, actor, ...event })),
          vault,
        )
      })
      return { counts, ...findings.warnings() }
    })
  } finally {
    close()
  }
}
