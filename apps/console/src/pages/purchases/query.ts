import { purchaseStates } from '@saleproof/schema/constants'
import type { WorkspaceValues } from '../../api/queries.ts'
import { useUrlFilters } from '../../app/url-filters.ts'
import { startOfDay } from '../../i18n/dates.ts'

/** The filters. Purchase codes stay out of the URL, and so out of here. Dates are in the browser's time zone. */
export const usePurchaseFilters = () =>
  useUrlFilters({ item: null, license: null, state: purchaseStates, from: null, to: null })

export type PurchaseFilters = ReturnType<typeof usePurchaseFilters>['filters']

export type PurchaseQuery = Omit<WorkspaceValues<'searchPurchases'>, 'cursor' | 'limit'>

/** The query for the filters; invalid values are left out. */
export function toQuery({ item = '', license, state, from = '', to = '' }: PurchaseFilters): PurchaseQuery {
  const start = startOfDay(from)
  const end = startOfDay(to, 1)
  return {
    ...(/^[1-9]\d{0,15}$/.test(item) && { item_id: Number(item) }),
    ...(license && { license_type: license }),
    ...(state && { state }),
    ...(start && { from: start }),
    ...(end && { to: end }),
  }
}
