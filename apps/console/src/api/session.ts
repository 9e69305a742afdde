import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'
import { useApi } from './context.tsx'
import type { Session } from './types.ts'

const sessionKey = ['session'] as const
const expiredKey = ['session', 'expired'] as const

/** What is known of the session: `null` while nobody is logged in. */
export function useSession() {
  const api = useApi()
  return useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<Session | null> => {
      try {
        return await api.get<Session>('session', signal)
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null
        throw error
      }
    },
    staleTime: 60_000,
  })
}

/** Of a page that is only shown to those who are logged in. */
export function useSignedIn(): Session {
  const { data } = useSession()
  if (!data) throw new Error('nobody is logged in')
  return data
}

/** Nothing of one session may be seen in the next. */
function forget(client: QueryClient): void {
  client.setQueryData<Session | null>(sessionKey, null)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

/** The service knows the session no longer. Whoever was logged in is told so. */
export function expireSession(client: QueryClient): void {
  if (!client.getQueryData(sessionKey)) return
  client.setQueryData(expiredKey, true)
  forget(client)
}

export const useHasExpired = (): boolean =>
  useQuery({ queryKey: expiredKey, queryFn: () => false, enabled: false }).data ?? false

export function useLogIn() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: { login: string; password: string }) => api.post<Session>('session', given),
    onSuccess: (session) => {
      client.setQueryData(expiredKey, false)
      client.setQueryData<Session | null>(sessionKey, session)
    },
  })
}

export function useLogOut() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete('session'),
    onSuccess: () => forget(client),
  })
}

export const useRefreshSession = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: sessionKey })
}
