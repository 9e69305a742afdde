import type { ConsoleRequests } from '@saleproof/schema/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './context.ts'
import { startSession } from './session.ts'

/** What the link with this token sets the password of. An error if the link does not work. */
export function useResetLink(token: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => api('checkResetLink', { input: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function useResetPassword() {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: ConsoleRequests['resetPassword']) => api('resetPassword', { input }),
    onSuccess: (session) => startSession(client, session),
    gcTime: 0,
  })
}
