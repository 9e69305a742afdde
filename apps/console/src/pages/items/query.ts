import type { ItemKind } from '@saleproof/schema'
import type { ItemSort } from '@saleproof/schema/console'
import type { ItemQuery } from '../../api/items.ts'
import { useUrlFilters } from '../../app/url-filters.ts'

export const itemKinds = ['image', 'video', 'audio'] as const satisfies readonly ItemKind[]

export const itemSorts = [
  '-published_at',
  'published_at',
  'name',
  '-name',
  'id',
  '-id',
] as const satisfies readonly ItemSort[]

const filterNames = ['search', 'category', 'kind', 'sort'] as const satisfies readonly (keyof ItemQuery)[]

export function useItemQuery() {
  const { filters, change, clear } = useUrlFilters(filterNames)
  const { search, category } = filters
  const kind = itemKinds.find((each) => each === filters.kind)
  const sort = itemSorts.find((each) => each === filters.sort)
  const query: ItemQuery = {
    ...(search && { search }),
    ...(category && { category }),
    ...(kind && { kind }),
    ...(sort && { sort }),
  }
  return { query, change, clear, isFiltered: Boolean(search || category || kind) }
}
