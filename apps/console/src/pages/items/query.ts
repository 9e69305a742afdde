import { itemSorts, itemStates } from '@saleproof/schema/console/constants'
import { itemKinds } from '@saleproof/schema/constants'
import type { WorkspaceValues } from '../../api/queries.ts'
import { useUrlFilters } from '../../app/url-filters.ts'

type ItemQuery = Omit<WorkspaceValues<'listItems'>, 'cursor' | 'limit'>

const filterNames = [
  'search',
  'category',
  'kind',
  'state',
  'sort',
] as const satisfies readonly (keyof ItemQuery)[]

export function useItemQuery() {
  const { filters, change, clear } = useUrlFilters(filterNames)
  const { search, category } = filters
  const kind = itemKinds.find((each) => each === filters.kind)
  const state = itemStates.find((each) => each === filters.state)
  const sort = itemSorts.find((each) => each === filters.sort)
  const query: ItemQuery = {
    ...(search && { search }),
    ...(category && { category }),
    ...(kind && { kind }),
    ...(state && { state }),
    ...(sort && { sort }),
  }
  return { query, change, clear, isFiltered: Boolean(search || category || kind || state) }
}
