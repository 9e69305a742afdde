import type { ConsolePurchase, ConsolePurchaseDetail, ConsoleRequests } from '@saleproof/schema/console'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.ts'

export type PurchaseQuery = Omit<ConsoleRequests['searchPurchases'], 'cursor' | 'limit'>

/** The matching purchases, page by page. The previous results stay visible until the next ones arrive. */
export function usePurchases(query: PurchaseQuery) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['workspace', slug, 'purchases', query],
    queryFn: ({ pageParam, signal }) =>
      api('searchPurchases', {
        params: { slug },
        input: { ...query, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
  })
}

const purchaseKey = (slug: string, code: string) => ['workspace', slug, 'purchase', code] as const

export function usePurchase(code: string) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: purchaseKey(slug, code),
    queryFn: ({ signal }) => api('getPurchase', { params: { slug }, input: { purchase_code: code }, signal }),
  })
}

/** Changes the state of a purchase. The pages show the new state once the service has confirmed it. */
export function useSetPurchaseState() {
  const api = useApi()
  const client = useQueryClient()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (input: ConsoleRequests['setPurchaseState']) =>
      api('setPurchaseState', { params: { slug }, input }),
    onSuccess: (purchase: ConsolePurchase) => {
      client.setQueryData<ConsolePurchaseDetail>(
        purchaseKey(slug, purchase.purchase_code),
        (detail) => detail && { ...detail, purchase },
      )
      // Its history has grown.
      void client.invalidateQueries({ queryKey: purchaseKey(slug, purchase.purchase_code) })
      void client.invalidateQueries({ queryKey: ['workspace', slug, 'purchases'] })
    },
  })
}

/** Removes a purchase for good. The pages that show it learn it when they are loaded again. */
export function useRemovePurchase() {
  const api = useApi()
  const client = useQueryClient()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (input: ConsoleRequests['removePurchase']) =>
      api('removePurchase', { params: { slug }, input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['workspace', slug, 'purchases'] }),
  })
}

export function useExportPurchases() {
  const api = useApi()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (input: ConsoleRequests['exportPurchases']) =>
      api('exportPurchases', { params: { slug }, input }),
    gcTime: 0,
  })
}

/** Explains the response of the API to a code. */
export function useCheck() {
  const api = useApi()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (input: ConsoleRequests['check']) => api('check', { params: { slug }, input }),
    gcTime: 0,
  })
}
