import { type SqlSteps, unread } from '../db/sql-steps.ts'
import { appendEvent } from '../domain/audit-log.ts'
import type { OwnRecords } from '../domain/imports.ts'
import { copyStaged, countCreated, type ImportPlan, planImport, recordManually } from './copy.ts'
import { findDuplicates } from './duplicates.ts'
import { type ImportEvent, madeEvents, plannedEvents } from './events.ts'
import type { ImportTask } from './import.ts'
import type { LineIssues } from './problems.ts'
import { applyOwnRules, applyRules } from './rules.ts'
import type { Staged } from './staged.ts'
import type { Upserts } from './upserts.ts'

/** Checks what is staged against what is stored, and says what writing it would do. */
export function* checkStaged(
  staged: Staged,
  lineIssues: LineIssues,
  own: OwnRecords | undefined,
): SqlSteps<ImportPlan> {
  if (own) yield* applyOwnRules(staged, own, lineIssues)
  // The other rules would compare them with records of other owners.
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  yield* staged.resolveWorkspaces()
  yield* applyRules(staged, lineIssues)
  yield* findDuplicates(staged, lineIssues)
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  return yield* planImport(staged)
}

interface CopyOptions extends Pick<ImportTask, 'actor' | 'now' | 'manual'> {
  staged: Staged
  upserts: Upserts
}

/** Writes what was checked, and records it. */
export function* copyChecked(plan: ImportPlan, options: CopyOptions): SqlSteps<void> {
  const { staged, upserts, actor = 'cli', now } = options
  const at = now()
  const manual = options.manual && countCreated(plan.counts) === 1
  function* append(events: readonly ImportEvent[]): SqlSteps<void> {
    for (const event of events) yield* appendEvent({ at, actor, ...event })
  }
  const [first, ...others] = yield* plannedEvents(plan, { ...options, manual })
  const entry = staged.numberOf('entry', yield* appendEvent({ at, actor, ...first }))
  yield* append(others)
  yield* copyStaged(staged, upserts, { counts: plan.counts, entry })
  if (manual) yield unread(staged.reading(recordManually(staged, entry)))
  yield* append(yield* madeEvents(staged, plan.counts))
}
