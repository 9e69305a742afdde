import type { ConsoleRequests } from '@saleproof/schema/console'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.ts'

export type ItemQuery = Omit<ConsoleRequests['listItems'], 'cursor' | 'limit'>

/** The matching items, page by page. The previous results stay visible until the next ones arrive. */
export function useItems(query: ItemQuery) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['workspace', slug, 'items', query],
    queryFn: ({ pageParam, signal }) =>
      api('listItems', {
        params: { slug },
        input: { ...query, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** One item; nothing is fetched without an id. */
export function useItem(id: string | undefined) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', slug, 'item', id],
    queryFn: ({ signal }) => api('getItem', { params: { slug, id: id ?? '' }, signal }),
    enabled: id !== undefined,
  })
}

/** Withdraws an item, or brings it back. Every page shows that once the service has confirmed it. */
export function useChangeItemState() {
  const api = useApi()
  const client = useQueryClient()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: ({ action, id }: { action: 'withdrawItem' | 'restoreItem'; id: number }) =>
      api(action, { params: { slug, id: String(id) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['workspace', slug] }),
  })
}
