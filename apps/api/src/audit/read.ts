import type { Database } from '../db/database.ts'
import { runStepsAsync, type SqlSteps, select } from '../db/sql-steps.ts'
import type { AuditHead, AuditSealer } from './chain.ts'
import { createChainCheck, type NotedEntry, type ReadEntry, readTimestamp } from './check.ts'
import { readHead } from './steps.ts'

const entriesQuery =
  'SELECT number, at, action, actor, "workspaceId", subject, "previousHash", hash FROM "AuditEntry"'
const homeQuery = 'SELECT "createdAt" FROM "Deployment" WHERE id = 1'
const pageEnd = 'ORDER BY number LIMIT 2000'

interface AuditResult {
  /** One line that names the first wrong entry. */
  problem: string | undefined
  /** The last valid entry. */
  last: NotedEntry
}

/** Checks the log while others may be writing to it. */
export function* checkAudit(sealer: AuditSealer, noted?: NotedEntry): SqlSteps<AuditResult> {
  const [row] = yield* select<{ createdAt: unknown }>(homeQuery)
  const createdAt = readTimestamp(row?.createdAt)
  const check = createChainCheck({ sealer, home: createdAt && { createdAt }, noted })

  function* nextPage(): SqlSteps<readonly ReadEntry[]> {
    const { number } = check.last()
    // The first page has no lower bound: an attacker may have numbered an entry 0.
    if (number === 0) return yield* select<ReadEntry>(`${entriesQuery} ${pageEnd}`)
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
  return { problem: problem ?? check.end(head), last: check.last() }
}

export const verifyAudit = (
  { select: run, vault }: Pick<Database, 'select'> & { vault: AuditSealer },
  { noted }: { noted?: NotedEntry | undefined } = {},
): Promise<AuditResult> =>
  runStepsAsync(checkAudit(vault, noted), (sql, ...values) => run(sql, ...values.map(String)))
