import type { ConsoleRequests, ConsoleWorkspace } from '@saleproof/schema/console'
import { useMutation } from '@tanstack/react-query'
import { useApi } from './context.ts'
import { useUpdateSession } from './session.ts'
import { useRefreshSessions } from './sessions.ts'

export function useUpdateAccount() {
  const api = useApi()
  const update = useUpdateSession()
  return useMutation({
    mutationFn: (input: ConsoleRequests['updateAccount']) => api('updateAccount', { input }),
    onSuccess: (account) => void update((session) => ({ ...session, account })),
    gcTime: 0,
  })
}

export function useChangePassword() {
  const api = useApi()
  const refreshSessions = useRefreshSessions()
  return useMutation({
    mutationFn: (input: ConsoleRequests['changePassword']) => api('changePassword', { input }),
    onSuccess: () => void refreshSessions(),
    gcTime: 0,
  })
}

const byName = (a: ConsoleWorkspace, b: ConsoleWorkspace) => a.name.localeCompare(b.name)

export function useCreateWorkspace() {
  const api = useApi()
  const update = useUpdateSession()
  return useMutation({
    mutationFn: (input: ConsoleRequests['createWorkspace']) => api('createWorkspace', { input }),
    onSuccess: (created) =>
      void update((session) => ({ ...session, workspaces: [...session.workspaces, created].sort(byName) })),
  })
}

export function useUpdateWorkspace(slug: string) {
  const api = useApi()
  const update = useUpdateSession()
  return useMutation({
    mutationFn: (input: ConsoleRequests['updateWorkspace']) =>
      api('updateWorkspace', { params: { slug }, input }),
    onSuccess: (updated) =>
      void update((session) => ({
        ...session,
        workspaces: session.workspaces.map((workspace) => (workspace.slug === slug ? updated : workspace)),
      })),
  })
}
