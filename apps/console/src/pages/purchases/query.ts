import type { PurchaseState } from '@saleproof/schema'
import { useSearchParams } from 'wouter'
import type { PurchaseQuery } from '../../api/purchases.ts'
import { startOfDay } from '../../i18n/dates.ts'

export const purchaseStates = ['active', 'refunded', 'revoked'] as const satisfies readonly PurchaseState[]

/** What the filters are set to. Days are those of the browser's time zone. A purchase code is never among them. */
export interface PurchaseFilters {
  item: string
  license: string
  state: string
  from: string
  to: string
}

const names = ['item', 'license', 'state', 'from', 'to'] as const satisfies readonly (keyof PurchaseFilters)[]

/** What is asked for; what cannot be asked for is left out. */
export function queryOf({ item, license, state, from, to }: PurchaseFilters): PurchaseQuery {
  const knownState = purchaseStates.find((each) => each === state)
  const [begin, end] = [startOfDay(from), startOfDay(to, 1)]
  return {
    ...(/^[1-9]\d{0,15}$/.test(item) && { item_id: Number(item) }),
    ...(license && { license_type: license }),
    ...(knownState && { state: knownState }),
    ...(begin && { from: begin }),
    ...(end && { to: end }),
  }
}

/** The filters stand in the address: they can be gone back to, and given to somebody. */
export function usePurchaseFilters() {
  const [parameters, setParameters] = useSearchParams()
  const [item = '', license = '', state = '', from = '', to = ''] = names.map(
    (name) => parameters.get(name) ?? '',
  )
  const filters: PurchaseFilters = { item, license, state, from, to }
  const change = (name: keyof PurchaseFilters, value: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return { filters, change, clear: () => setParameters({}, { replace: true }) }
}
