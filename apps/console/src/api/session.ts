import type { ConsoleSession } from '@saleproof/schema/console'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api, Values } from './client.ts'
import { useApi } from './context.ts'
import { ApiError } from './errors.ts'

const sessionKey = ['account', 'getSession'] as const
const expiredKey = ['expired'] as const
const kept: ReadonlySet<string> = new Set([String(sessionKey), String(expiredKey)])

/** The session, or `null` when signed out. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<ConsoleSession | null> => {
      try {
        return await api('getSession', {}, signal)
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

/** Nothing of one session may be visible in the next. */
function replaceSession(client: QueryClient, session: ConsoleSession | null): void {
  client.setQueryData<ConsoleSession | null>(sessionKey, session)
  client.removeQueries({ predicate: ({ queryKey }) => !kept.has(String(queryKey)) })
}

/** Called when the service rejects the session; the sign-in page then says that it expired. */
export function expireSession(client: QueryClient): void {
  if (!client.getQueryData(sessionKey)) return
  client.setQueryData(expiredKey, true)
  replaceSession(client, null)
}

export const useSessionExpired = (): boolean =>
  useQuery({ queryKey: expiredKey, queryFn: () => false, enabled: false }).data ?? false

export function useStartSession<Name extends 'signIn' | 'resetPassword'>(name: Name) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: Values<Name>): Promise<ConsoleSession> => api(name, values),
    onSuccess: (session) => {
      client.setQueryData(expiredKey, false)
      replaceSession(client, session)
    },
  })
}

export function useSignOut() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({ mutationFn: () => api('signOut', {}), onSuccess: () => replaceSession(client, null) })
}
