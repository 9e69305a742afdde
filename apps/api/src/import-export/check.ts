import type { Sql } from '../db/sql.ts'
import { appendEvent, auditStatement } from '../domain/audit-log.ts'
import type { OwnRecords } from '../domain/imports.ts'
import { copyStaged, countCreated, type ImportPlan, planImport, recordManually } from './copy.ts'
import { findDuplicates } from './duplicates.ts'
import { type ImportEvent, madeEvents, plannedEvents } from './events.ts'
import type { ImportTask } from './import.ts'
import type { LineIssues } from './problems.ts'
import { applyOwnRules, applyRules, findSoldItems } from './rules.ts'
import type { Staged } from './staged.ts'

/** Checks what is staged against what is stored, and says what writing it would do. */
export async function checkStaged(
  sql: Sql,
  staged: Staged,
  lineIssues: LineIssues,
  own: OwnRecords | undefined,
): Promise<ImportPlan> {
  if (staged.given.purchase) await findSoldItems(sql, staged)
  if (own) await applyOwnRules(sql, staged, own, lineIssues)
  // The other rules would compare them with records of other owners.
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  await applyRules(sql, staged, lineIssues)
  await findDuplicates(sql, staged, lineIssues)
  if (lineIssues.hasProblems()) throw lineIssues.refusal(false)
  return planImport(sql, staged)
}

interface CopyOptions extends Pick<ImportTask, 'actor' | 'now' | 'manual'> {
  staged: Staged
}

/** Writes what was checked, and records it. */
export async function copyChecked(sql: Sql, plan: ImportPlan, options: CopyOptions) {
  const { staged, actor = 'cli', now } = options
  const at = now()
  const manual = options.manual && countCreated(plan.counts) === 1
  async function append(events: readonly ImportEvent[]) {
    for (const event of events) await sql.run(...auditStatement({ at, actor, ...event }))
  }
  const [first, ...others] = await plannedEvents(sql, plan, { ...options, manual })
  const entry = await appendEvent(sql, { at, actor, ...first })
  await append(others)
  await copyStaged(sql, staged, plan.counts, entry)
  if (manual) await sql.run(recordManually(staged), entry)
  await append(await madeEvents(sql, staged, plan.counts))
}
