import type { Database } from '../db/database.ts'
import { withTimeout } from '../with-timeout.ts'
import type { AuditSealer } from './chain.ts'
import { hasUnjoined, joinAudit } from './steps.ts'

/** After an entry is recorded, those that are recorded meanwhile are joined with it. */
const joinAfterMs = 250

/** So often each process looks for entries of a process that ended before it joined them. */
const lookEveryMs = 30_000

/** How long a process that ends waits for it: another one joins them. */
const closeWithinMs = 1000

type AuditDatabase = Pick<Database, 'transact'> & { vault: AuditSealer }

/** Joins the entries that are not joined yet, before something reads the chain. */
export async function joinEntries({ transact, vault }: AuditDatabase) {
  if (await transact(hasUnjoined, { readonly: true }))
    await transact(() => joinAudit(vault), { scope: 'audit' })
}

/** Joins the entries that processes on PostgreSQL record to the chain, in transactions of their own. */
export function createJoiner(database: AuditDatabase) {
  let timer: NodeJS.Timeout | undefined

  function joinSoon() {
    timer ??= setTimeout(() => {
      timer = undefined
      // What fails is tried again with the next one.
      joinEntries(database).catch(() => {})
    }, joinAfterMs).unref()
  }

  const looking = setInterval(joinSoon, lookEveryMs).unref()
  joinSoon()

  return {
    /** The same function, after which is joined what it recorded. */
    after:
      <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        act(...args).finally(joinSoon),

    async close() {
      clearInterval(looking)
      clearTimeout(timer)
      await withTimeout(joinEntries(database), closeWithinMs).catch(() => {})
    },
  }
}
