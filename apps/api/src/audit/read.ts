import type { Database } from '../db/database.ts'
import { runStepsAsync, type SqlSteps, select } from '../db/sql-steps.ts'
import { type AuditHead, type AuditSealer, isAuthentic, type ReadEntry } from './chain.ts'
import { createChainCheck, type NotedEntry } from './check.ts'
import { joinEntries } from './joiner.ts'
import { entryColumns, readHead, readHome, readRemoval, unjoinedAfter } from './steps.ts'

const entriesQuery = `SELECT ${entryColumns} FROM "AuditEntry"`
const pageEnd = 'ORDER BY "position" LIMIT 2000'

interface AuditResult {
  /** One line that names the first wrong entry. */
  problem: string | undefined
  /** The last valid entry. */
  last: NotedEntry
  /** How many entries retention has removed. */
  removed: number
}

/** Checks the log while others may be writing to it. */
export function* checkAudit(sealer: AuditSealer, noted?: NotedEntry): SqlSteps<AuditResult> {
  for (;;) {
    const removed = (yield* readRemoval())?.removed
    const result = yield* checkAfter(removed, sealer, noted)
    // Retention may have removed entries before they were read.
    if (!result.problem || (yield* readRemoval())?.removed.position === removed?.position) return result
  }
}

function* checkAfter(
  removed: NotedEntry | undefined,
  sealer: AuditSealer,
  noted: NotedEntry | undefined,
): SqlSteps<AuditResult> {
  const home = yield* readHome()
  const check = createChainCheck({ sealer, home, removed, noted })
  const start = check.last()

  function* nextPage(): SqlSteps<readonly ReadEntry[]> {
    const { position } = check.last()
    // The first page has no lower bound: an attacker may have added entries before it.
    if (position === start.position)
      return yield* select<ReadEntry>(`${entriesQuery} WHERE "position" IS NOT NULL ${pageEnd}`)
    return yield* select<ReadEntry>(`${entriesQuery} WHERE "position" > $1 ${pageEnd}`, position)
  }

  function* takeAll(): SqlSteps<string | undefined> {
    for (let page = yield* nextPage(); page.length; page = yield* nextPage())
      for (const entry of page) {
        const problem = check.take(entry)
        if (problem) return problem
      }
    return undefined
  }

  let problem = yield* takeAll()
  let head: AuditHead | undefined
  let before: number
  // Until nothing came after the head was read: then it is the head of what was read.
  do {
    before = check.last().position
    head = yield* readHead()
    problem ??= yield* takeAll()
  } while (!problem && check.last().position > before)
  problem ??= check.end(head)
  for (let page = yield* unjoinedAfter(); !problem && page.length; page = yield* unjoinedAfter(page.at(-1))) {
    const forged = page.find((entry) => !isAuthentic(entry, home, sealer))
    problem = forged && `entry ${forged.number} was changed or added before it was joined to the others`
  }
  return { problem, last: check.last(), removed: start.position }
}

/** Joins the entries that are not joined yet, and checks the log. */
export async function verifyAudit(
  database: Pick<Database, 'select' | 'transact'> & { vault: AuditSealer },
  { noted }: { noted?: NotedEntry | undefined } = {},
): Promise<AuditResult> {
  const { select: run, vault } = database
  await joinEntries(database)
  return runStepsAsync(checkAudit(vault, noted), (sql, ...values) => run(sql, ...values.map(String)))
}
