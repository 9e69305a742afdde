import type { OverviewPeriod } from '@saleproof/schema/console'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.tsx'

/** Some browsers name a zone that they do not take themselves; days of UTC are better than none. */
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
      api('getOverview', { at: { slug }, send: { period, timezone: timezone() }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}
