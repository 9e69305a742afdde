import type { ConsoleRequests, ConsoleWorkspace } from '@saleproof/schema/console'
import { useMutation } from '@tanstack/react-query'
import { useApi } from './context.tsx'
import { useUpdateSession } from './session.ts'

export function useUpdateAccount() {
  const api = useApi()
  const update = useUpdateSession()
  return useMutation({
    mutationFn: (send: ConsoleRequests['updateAccount']) => api('updateAccount', { send }),
    onSuccess: (account) => void update((session) => ({ ...session, account })),
    gcTime: 0,
  })
}

export function useChangePassword() {
  const api = useApi()
  return useMutation({
    mutationFn: (send: ConsoleRequests['changePassword']) => api('changePassword', { send }),
    gcTime: 0,
  })
}

const byName = (a: ConsoleWorkspace, b: ConsoleWorkspace) => a.name.localeCompare(b.name)

export function useCreateWorkspace() {
  const api = useApi()
  const update = useUpdateSession()
  return useMutation({
    mutationFn: (send: ConsoleRequests['createWorkspace']) => api('createWorkspace', { send }),
    onSuccess: (made) =>
      void update((session) => ({ ...session, workspaces: [...session.workspaces, made].sort(byName) })),
  })
}

export function useUpdateWorkspace(slug: string) {
  const api = useApi()
  const update = useUpdateSession()
  return useMutation({
    mutationFn: (send: ConsoleRequests['updateWorkspace']) => api('updateWorkspace', { at: { slug }, send }),
    onSuccess: (changed) =>
      void update((session) => ({
        ...session,
        workspaces: session.workspaces.map((each) => (each.slug === slug ? changed : each)),
      })),
  })
}
