import type { ConsoleKey, ConsoleKeys, ConsoleRequests } from '@saleproof/schema/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.ts'

const keyListKey = (slug: string) => ['workspace', slug, 'keys'] as const

export function useKeys() {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: keyListKey(slug),
    queryFn: ({ signal }) => api('listKeys', { params: { slug }, signal }),
    // `last_used_at` is written every few minutes.
    refetchInterval: 60_000,
  })
}

/** Applies a confirmed change to the cached list, then refetches it. */
function useUpdateKeyList() {
  const client = useQueryClient()
  const { slug } = useWorkspace()
  return (change: (keys: ConsoleKey[]) => ConsoleKey[]) => {
    client.setQueryData<ConsoleKeys>(keyListKey(slug), (list) => list && { keys: change(list.keys) })
    return client.invalidateQueries({ queryKey: keyListKey(slug) })
  }
}

export function useCreateKey() {
  const api = useApi()
  const { slug } = useWorkspace()
  const updateList = useUpdateKeyList()
  return useMutation({
    mutationFn: (input: ConsoleRequests['createKey']) => api('createKey', { params: { slug }, input }),
    onSuccess: ({ api_key: _, ...key }) => void updateList((keys) => [key, ...keys]),
    // The response holds the key: do not cache it.
    gcTime: 0,
  })
}

export function useShowKey(id: string) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (password: string) => api('showKey', { params: { slug, id }, input: { password } }),
    gcTime: 0,
  })
}

export function useRotateKey(id: string) {
  const api = useApi()
  const { slug } = useWorkspace()
  const updateList = useUpdateKeyList()
  return useMutation({
    mutationFn: (input: ConsoleRequests['rotateKey']) => api('rotateKey', { params: { slug, id }, input }),
    onSuccess: ({ api_key: _, replaced, ...key }) =>
      void updateList((keys) => [key, ...keys.map((each) => (each.id === replaced.id ? replaced : each))]),
    // The response holds the key: do not cache it.
    gcTime: 0,
  })
}

export function useRevokeKey() {
  const api = useApi()
  const { slug } = useWorkspace()
  const updateList = useUpdateKeyList()
  return useMutation({
    mutationFn: (id: string) => api('revokeKey', { params: { slug, id } }),
    onSuccess: (revoked) =>
      void updateList((keys) => keys.map((key) => (key.id === revoked.id ? revoked : key))),
  })
}
