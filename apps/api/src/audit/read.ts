import type { Database } from '../db/database.ts'
import { runStepsAsync, type SqlSteps, select } from '../db/sql-steps.ts'
import type { AuditHead, AuditSealer } from './chain.ts'
import { createChainCheck, type NotedEntry, type ReadEntry, readTimestamp } from './check.ts'
import { readHead, readRemoval } from './steps.ts'

export const entriesQuery =
  'SELECT number, at, action, actor, "workspaceId", subject, "previousHash", hash FROM "AuditEntry"'
const homeQuery = 'SELECT "createdAt" FROM "Deployment" WHERE id = 1'
const pageEnd = 'ORDER BY number LIMIT 2000'

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
    if (!result.problem || (yield* readRemoval())?.removed.number === removed?.number) return result
  }
}

function* checkAfter(
  removed: NotedEntry | undefined,
  sealer: AuditSealer,
  noted: NotedEntry | undefined,
): SqlSteps<AuditResult> {
  const [row] = yield* select<{ createdAt: unknown }>(homeQuery)
  const createdAt = readTimestamp(row?.createdAt)
  const check = createChainCheck({ sealer, home: createdAt && { createdAt }, removed, noted })
  const start = check.last()

  function* nextPage(): SqlSteps<readonly ReadEntry[]> {
    const { number } = check.last()
    // The first page has no lower bound: an attacker may have added entries before it.
    if (number === start.number) return yield* select<ReadEntry>(`${entriesQuery} ${pageEnd}`)
    return yield* select<ReadEntry>(`${entriesQuery} WHERE number > $1 ${pageEnd}`, String(number))
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
    before = check.last().number
    head = yield* readHead()
    problem ??= yield* takeAll()
  } while (!problem && check.last().number > before)
  return { problem: problem ?? check.end(head), last: check.last(), removed: start.number }
}

export const verifyAudit = (
  { select: run, vault }: Pick<Database, 'select'> & { vault: AuditSealer },
  { noted }: { noted?: NotedEntry | undefined } = {},
): Promise<AuditResult> =>
  runStepsAsync(checkAudit(vault, noted), (sql, ...values) => run(sql, ...values.map(String)))
