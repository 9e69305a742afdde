import type { FailedCodeReason, OverviewPeriod } from '@saleproof/schema/console'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.ts'

/** Some browsers report a time zone that `Intl` rejects; UTC days are better than none. */
function timezone(): string {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  } catch {
    return 'UTC'
  }
}

export function useOverview(period: OverviewPeriod) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', slug, 'overview', period],
    queryFn: ({ signal }) =>
      api('getOverview', { params: { slug }, input: { period, timezone: timezone() }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}

/** Sales and refunds of a period. */
export function useSales(period: OverviewPeriod) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', slug, 'sales', period],
    queryFn: ({ signal }) =>
      api('getSales', { params: { slug }, input: { period, timezone: timezone() }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}

/** The codes that failed last for a reason. */
export function useFailedCodes(reason: FailedCodeReason) {
  const api = useApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', slug, 'failed-codes', reason],
    queryFn: ({ signal }) => api('listFailedCodes', { params: { slug }, input: { reason }, signal }),
    staleTime: 0,
  })
}
