import { appendEvents } from '../audit/steps.ts'
import type { SqlSteps } from '../db/sql-steps.ts'
import { changesNothing, copyStaged, countChanges, type ImportCounts, recordByHand } from './copy.ts'
import type { Dialect } from './dialect.ts'
import { findDuplicates } from './duplicates.ts'
import { type ImportEvent, madeEvents, plannedEvents } from './events.ts'
import type { ImportTask } from './import.ts'
import type { LineIssues } from './problems.ts'
import { applyRules, resolveWorkspaces } from './rules.ts'
import type { Upserts } from './upserts.ts'

/** Checks what is staged against what is stored, and says what writing it would do. */
export function* checkStaged(dialect: Dialect, lineIssues: LineIssues): SqlSteps<ImportCounts> {
  yield* resolveWorkspaces(dialect)
  yield* applyRules(dialect, lineIssues)
  yield* findDuplicates(dialect, lineIssues)
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  return yield* countChanges()
}

interface CopyOptions extends Pick<ImportTask, 'vault' | 'actor' | 'now' | 'byHand'> {
  dialect: Dialect
  upserts: Upserts
  counts: ImportCounts
}

/** Writes what was checked, and records it. */
export function* copyChecked(options: CopyOptions): SqlSteps<ImportCounts> {
  const { dialect, upserts, counts, vault, actor = 'cli', now } = options
  if (changesNothing(counts)) return counts
  const at = now()
  const append = (events: readonly ImportEvent[]) =>
    appendEvents(
      events.map((event) => ({ at, actor, ...event })),
      vault,
    )
  const entry = yield* append(yield* plannedEvents(options))
  yield* copyStaged(dialect, upserts, { counts, entry })
  if (options.byHand) yield recordByHand(dialect, entry)
  const made = yield* madeEvents(dialect, counts)
  if (made.length) yield* append(made)
  return counts
}
