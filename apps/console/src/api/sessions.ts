import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './context.ts'

const sessionsKey = ['sessions'] as const

/** The browsers that are signed in to the account. */
export function useSessions() {
  const api = useApi()
  return useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => api('listSessions', { signal }) })
}

export function useRefreshSessions() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: sessionsKey })
}

/** Ends one session, or all others where no id is given. */
export function useEndSession() {
  const api = useApi()
  const refresh = useRefreshSessions()
  return useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? api('endOtherSessions') : api('endSession', { params: { id } }),
    onSettled: () => void refresh(),
  })
}
