import type { ConsoleRequests } from '@saleproof/schema/console'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.tsx'

export type ItemQuery = Omit<ConsoleRequests['listItems'], 'cursor' | 'limit'>

/** The items of the workspace that fit, page by page. What was found before stays until the next is there. */
export function useItems(query: ItemQuery) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['workspace', slug, 'items', query],
    queryFn: ({ pageParam, signal }) =>
      api('listItems', { at: { slug }, send: { ...query, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** One item; none is asked for without an id. */
export function useItem(id: string | undefined) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', slug, 'item', id],
    queryFn: ({ signal }) => api('getItem', { at: { slug, id: id ?? '' }, signal }),
    enabled: id !== undefined,
  })
}
