import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** The first part of the key of all kept state in the query client. */
export const keptKey = 'kept'

/** The second part of the key of kept state that survives a reload. Other state may hold purchase codes, which are not stored. */
export const storedKey = 'stored'

const storageKey = 'saleproof.drafts'

interface StoredDrafts {
  account: string
  drafts: [QueryKey, unknown][]
}

/** Stores the drafts of an account in the tab while its page reloads. */
export function storeDrafts(client: QueryClient, account: string | undefined): void {
  // What is stored waits for its account to sign in.
  if (!account) return
  const stored = client.getQueriesData({ queryKey: [keptKey, storedKey] })
  const drafts = stored.filter(([, draft]) => draft !== undefined)
  try {
    if (drafts.length === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify({ account, drafts }))
  } catch {
    // Where storage is blocked or full, a reload loses the drafts.
  }
}

/** Takes the stored drafts back, if they are of this account. */
export function restoreDrafts(client: QueryClient, account: string): void {
  try {
    const stored: StoredDrafts | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    sessionStorage.removeItem(storageKey)
    if (stored?.account !== account) return
    for (const [key, draft] of stored.drafts) client.setQueryData(key, (newer: unknown) => newer ?? draft)
  } catch {
    // See above.
  }
}
