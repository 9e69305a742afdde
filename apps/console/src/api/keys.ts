import type { ConsoleKey, ConsoleKeys, ConsoleRequests } from '@saleproof/schema/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.tsx'

const keysOf = (slug: string) => ['workspace', slug, 'keys'] as const

export function useKeys() {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: keysOf(slug),
    queryFn: ({ signal }) => api('listKeys', { at: { slug }, signal }),
    // What used a key last is written every few minutes; while keys are changed somebody looks at it.
    refetchInterval: 60_000,
  })
}

/** Puts what the service has confirmed into the list, before it is read again. */
function useKeyChange() {
  const client = useQueryClient()
  const { slug } = useWorkspace()
  return (change: (keys: ConsoleKey[]) => ConsoleKey[]) => {
    client.setQueryData<ConsoleKeys>(keysOf(slug), (found) => found && { keys: change(found.keys) })
    return client.invalidateQueries({ queryKey: keysOf(slug) })
  }
}

export function useCreateKey() {
  const api = useApi()
  const { slug } = useWorkspace()
  const changed = useKeyChange()
  return useMutation({
    mutationFn: (send: ConsoleRequests['createKey']) => api('createKey', { at: { slug }, send }),
    onSuccess: ({ api_key: _, ...key }) => void changed((keys) => [key, ...keys]),
    // The key is in the answer: it is not kept longer than it is seen.
    gcTime: 0,
  })
}

export function useShowKey(id: string) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (password: string) => api('showKey', { at: { slug, id }, send: { password } }),
    gcTime: 0,
  })
}

export function useRevokeKey() {
  const api = useApi()
  const { slug } = useWorkspace()
  const changed = useKeyChange()
  return useMutation({
    mutationFn: (id: string) => api('revokeKey', { at: { slug, id } }),
    onSuccess: (revoked) =>
      void changed((keys) => keys.map((key) => (key.id === revoked.id ? revoked : key))),
  })
}
