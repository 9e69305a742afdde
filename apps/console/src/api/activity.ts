import type { ConsoleRequests } from '@saleproof/schema/console'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.ts'

export type ActivityQuery = Pick<ConsoleRequests['listActivity'], 'kind' | 'by'>

/** What was done, newest first, page by page. */
export function useActivity(query: ActivityQuery) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['workspace', slug, 'activity', query],
    queryFn: ({ pageParam, signal }) =>
      api('listActivity', {
        params: { slug },
        input: { ...query, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    // Most of what is done elsewhere in the console is in the log.
    staleTime: 0,
  })
}
