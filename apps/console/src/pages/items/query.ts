import { itemSorts, itemStates } from '@saleproof/schema/console/constants'
import { itemKinds } from '@saleproof/schema/constants'
import { useUrlFilters } from '../../app/url-filters.ts'

export const useItemFilters = () =>
  useUrlFilters({ search: null, category: null, kind: itemKinds, state: itemStates, sort: itemSorts })
