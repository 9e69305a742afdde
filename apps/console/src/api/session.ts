import type { ConsoleSession } from '@saleproof/schema/console'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from './client.ts'
import { useApi } from './context.tsx'
import { ApiError } from './errors.ts'

const sessionKey = ['session'] as const
const expiredKey = ['session', 'expired'] as const

/** What is known of the session: `null` while nobody is signed in. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<ConsoleSession | null> => {
      try {
        return await api('getSession', { signal })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_signed_in') return null
        throw error
      }
    },
    staleTime: 60_000,
  })

export const useSession = () => useQuery(sessionQuery(useApi()))

/** Of a page that is only shown to those who are signed in. */
export function useSignedIn(): ConsoleSession {
  const { data } = useSession()
  if (!data) throw new Error('nobody is signed in')
  return data
}

/** Nothing of one session may be seen in the next. */
function forget(client: QueryClient): void {
  client.setQueryData<ConsoleSession | null>(sessionKey, null)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

/** The service knows the session no longer. Whoever was signed in is told so. */
export function expireSession(client: QueryClient): void {
  if (!client.getQueryData(sessionKey)) return
  client.setQueryData(expiredKey, true)
  forget(client)
}

export const useHasExpired = (): boolean =>
  useQuery({ queryKey: expiredKey, queryFn: () => false, enabled: false }).data ?? false

export function useSignIn() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (send: { login: string; password: string }) => api('signIn', { send }),
    onSuccess: (session) => {
      client.setQueryData(expiredKey, false)
      client.setQueryData<ConsoleSession | null>(sessionKey, session)
    },
  })
}

export function useSignOut() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('signOut'),
    onSuccess: () => forget(client),
  })
}

/** Changes what is known of the session, as the service has just confirmed it. */
export function useUpdateSession() {
  const client = useQueryClient()
  return (change: (session: ConsoleSession) => ConsoleSession) =>
    client.setQueryData<ConsoleSession | null>(sessionKey, (session) => session && change(session))
}
