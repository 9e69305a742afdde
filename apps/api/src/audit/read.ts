import type { Database as SqliteDatabase } from 'better-sqlite3'
import type { Database } from '../db/database.ts'
import type { AuditHead, AuditSealer } from './chain.ts'
import { createChainCheck, type NotedEntry, type ReadEntry, readMoment } from './check.ts'

const entriesQuery =
  'SELECT number, at, action, actor, "workspaceId", subject, "previousHash", hash FROM "AuditEntry"'
const headQuery = 'SELECT count, hash, identity, seal FROM "AuditHead" WHERE id = 1'
const homeQuery = 'SELECT "createdAt" FROM "Deployment" WHERE id = 1'
const pageEnd = 'ORDER BY number LIMIT 2000'

interface LimitResult {
  /** What is wrong, in one line that names the first wrong entry. */
  problem: string | undefined
  /** How far the log is right. */
  last: NotedEntry
}

const homeOf = ([row]: readonly { createdAt: unknown }[]) => {
  const createdAt = readMoment(row?.createdAt)
  return createdAt && { createdAt }
}

/** Checks the log while others may be writing to it. */
export async function verifyAudit(
  { select, vault }: Pick<Database, 'select'> & { vault: AuditSealer },
  { noted }: { noted?: NotedEntry | undefined } = {},
): Promise<LimitResult> {
  const home = homeOf(await select<{ createdAt: unknown }>(homeQuery))
  const check = createChainCheck({ sealer: vault, home, noted })

  async function nextPage(): Promise<readonly ReadEntry[]> {
    const { number } = check.last()
    // The first page has no lower bound: an attacker may have numbered an entry 0.
    if (number === 0) return select(`${entriesQuery} ${pageEnd}`)
    return select(`${entriesQuery} WHERE number > $1 ${pageEnd}`, String(number))
  }

  async function takeAll(): Promise<string | undefined> {
    for (let page = await nextPage(); page.length; page = await nextPage())
      for (const entry of page) {
        const problem = check.take(entry)
        if (problem) return problem
      }
    return undefined
  }

  let problem = await takeAll()
  let head: AuditHead | undefined
  let before: number
  // Until nothing came after the head was read: then it is the head of what was read.
  do {
    before = check.last().number
    head = (await select<AuditHead>(headQuery))[0]
    problem ??= await takeAll()
  } while (!problem && check.last().number > before)
  return { problem: problem ?? check.end(head), last: check.last() }
}

/** The same in one snapshot of a file, for an SQLite file that is open. */
export function verifyAuditIn(sqlite: SqliteDatabase, sealer: AuditSealer): LimitResult {
  return sqlite.transaction(() => {
    const home = homeOf(sqlite.prepare<[], { createdAt: unknown }>(homeQuery).all())
    const check = createChainCheck({ sealer, home })
    const rows = sqlite.prepare<[], ReadEntry>(`${entriesQuery} ORDER BY number`)
    for (const entry of rows.iterate()) {
      const problem = check.take(entry)
      if (problem) return { problem, last: check.last() }
    }
    const head = sqlite.prepare<[], AuditHead>(headQuery).get()
    return { problem: check.end(head), last: check.last() }
  })()
}
