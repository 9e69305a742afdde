import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** The first part of the key of all kept state in the query client. */
export const keptKey = 'kept'

const storageKey = 'saleproof.drafts'
const draftPrefix = 'draft '

/** The name of the draft of a form. Other kept state may hold purchase codes, which are not stored. */
export const draftName = (name: string) => `${draftPrefix}${name}`

const isDraft = ({ queryKey: [first, name] }: Query) =>
  first === keptKey && String(name).startsWith(draftPrefix)

interface StoredDrafts {
  account: string
  drafts: [QueryKey, unknown][]
}

/** Stores the drafts of an account in the tab while its page reloads. */
export function storeDrafts(client: QueryClient, account: string | undefined): void {
  const drafts = client.getQueriesData({ predicate: isDraft }).filter(([, draft]) => draft !== undefined)
  try {
    if (account === undefined || drafts.length === 0) sessionStorage.removeItem(storageKey)
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
