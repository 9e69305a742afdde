import type { ConsoleSession } from '@saleproof/schema/console'
import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Api, Values } from './client.ts'
import { useApi } from './context.ts'
import { ApiError } from './errors.ts'
import { keptKey, restoreDrafts, storeDrafts } from './stored-drafts.ts'

const sessionKey = ['account', 'getSession'] as const
const expiredKey = ['expired'] as const
const ownKeys: ReadonlySet<string> = new Set([String(sessionKey), String(expiredKey)])

/** The session, or `null` when signed out. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: sessionKey,
    queryFn: async ({ signal, client }): Promise<ConsoleSession | null> => {
      try {
        const session = await api('getSession', {}, signal)
        restoreDrafts(client, session.account.id)
        return session
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_signed_in') return null
        throw error
      }
    },
    staleTime: 60_000,
  })

export const useSession = () => useQuery(sessionQuery(useApi()))

/** The session, for pages that only signed-in users see. */
export function useSignedIn(): ConsoleSession {
  const { data } = useSession()
  if (!data) throw new Error('not signed in')
  return data
}

/** Nothing of one session may be visible in the next, but for what the same user typed before it expired. */
function replaceSession(client: QueryClient, session: ConsoleSession | null, keepsTyped = false): void {
  client.setQueryData<ConsoleSession | null>(sessionKey, session)
  const keeps = ([first]: QueryKey) => keepsTyped && first === keptKey
  client.removeQueries({ predicate: ({ queryKey }) => !ownKeys.has(String(queryKey)) && !keeps(queryKey) })
}

/** Drafts of forms survive a reload. */
export function storeDraftsOnReload(client: QueryClient): void {
  addEventListener('pagehide', () =>
    storeDrafts(
      client,
      client.getQueryData<ConsoleSession>(sessionKey)?.account.id ?? client.getQueryData<string>(expiredKey),
    ),
  )
}

/** Called when the service rejects the session; the sign-in page then says that it expired. */
export function expireSession(client: QueryClient): void {
  const session = client.getQueryData<ConsoleSession>(sessionKey)
  if (!session) return
  client.setQueryData(expiredKey, session.account.id)
  replaceSession(client, null, true)
}

/** The id of the account whose session expired; `''` if none did. */
export const useExpiredAccount = (): string =>
  useQuery({ queryKey: expiredKey, queryFn: () => '', enabled: false }).data ?? ''

export function useStartSession<Name extends 'signIn' | 'resetPassword'>(name: Name) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: Values<Name>): Promise<ConsoleSession> => api(name, values),
    onSuccess: (session) => {
      const isSameUser = client.getQueryData(expiredKey) === session.account.id
      client.setQueryData(expiredKey, '')
      replaceSession(client, session, isSameUser)
      restoreDrafts(client, session.account.id)
    },
  })
}

export function useSignOut() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({ mutationFn: () => api('signOut', {}), onSuccess: () => replaceSession(client, null) })
}
