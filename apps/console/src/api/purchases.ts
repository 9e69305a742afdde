import type { ConsolePurchase, ConsolePurchaseDetail, ConsoleRequests } from '@saleproof/schema/console'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.tsx'

export type PurchaseQuery = Omit<ConsoleRequests['searchPurchases'], 'cursor' | 'limit'>

/** The purchases that fit, page by page. What was found before stays until the next is there. */
export function usePurchases(query: PurchaseQuery) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['workspace', slug, 'purchases', query],
    queryFn: ({ pageParam, signal }) =>
      api('searchPurchases', {
        at: { slug },
        send: { ...query, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
  })
}

const detailOf = (slug: string, code: string) => ['workspace', slug, 'purchase', code] as const

export function usePurchase(code: string) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: detailOf(slug, code),
    queryFn: ({ signal }) => api('getPurchase', { at: { slug }, send: { purchase_code: code }, signal }),
  })
}

/** Changes the state of a purchase. What is shown changes when the service has confirmed it, and nowhere before. */
export function useSetPurchaseState() {
  const api = useApi()
  const client = useQueryClient()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (send: ConsoleRequests['setPurchaseState']) =>
      api('setPurchaseState', { at: { slug }, send }),
    onSuccess: (purchase: ConsolePurchase) => {
      client.setQueryData<ConsolePurchaseDetail>(
        detailOf(slug, purchase.purchase_code),
        (detail) => detail && { ...detail, purchase },
      )
      void client.invalidateQueries({ queryKey: ['workspace', slug, 'purchases'] })
    },
  })
}

export function useExportPurchases() {
  const api = useApi()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (send: ConsoleRequests['exportPurchases']) => api('exportPurchases', { at: { slug }, send }),
    gcTime: 0,
  })
}
