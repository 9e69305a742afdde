import { changesNothing, copyStaged, countChanges, type ImportCounts } from './copy.ts'
import type { Dialect } from './dialect.ts'
import { findDuplicates } from './duplicates.ts'
import { type EventOfImport, madeEvents, plannedEvents } from './events.ts'
import type { Findings } from './problems.ts'
import { applyRules, resolveWorkspaces } from './rules.ts'
import type { SqlSteps } from './sql-steps.ts'
import type { Checked } from './target.ts'
import type { Upserts } from './upserts.ts'

/** Checks what is staged against what is stored, and says what writing it would do. */
export function* checkStaged(dialect: Dialect, findings: Findings): SqlSteps<ImportCounts> {
  yield* resolveWorkspaces(dialect)
  yield* applyRules(dialect, findings)
  yield* findDuplicates(dialect, findings)
  if (findings.hasProblems()) throw findings.refusal(false)
  return yield* countChanges()
}

interface CopyChecked {
  dialect: Dialect
  upserts: Upserts
  findings: Findings
  checked: Checked
  /** Whether the database is as it was when the check was made. */
  unchanged: boolean
}

/** Copies what was checked; checks it again if the database was written after the check. Holds the write lock. */
export function* copyChecked({ dialect, upserts, findings, checked, unchanged }: CopyChecked): SqlSteps<{
  counts: ImportCounts
  events: readonly EventOfImport[]
}> {
  if (!unchanged) findings.forgetWarningsAfter(checked.warningCount)
  const counts = unchanged ? checked.counts : yield* checkStaged(dialect, findings)
  if (changesNothing(counts)) return { counts, events: [] }
  const planned = yield* plannedEvents(dialect, counts)
  yield* copyStaged(dialect, upserts, counts)
  return { counts, events: [...planned, ...(yield* madeEvents(dialect, counts))] }
}
