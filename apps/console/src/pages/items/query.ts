import type { ItemKind } from '@saleproof/schema'
import type { ItemSort } from '@saleproof/schema/console'
import { useSearchParams } from 'wouter'
import type { ItemQuery } from '../../api/items.ts'

export const itemKinds = ['image', 'video', 'audio'] as const satisfies readonly ItemKind[]

export const itemSorts = [
  ...['-published_at', 'published_at', 'name', '-name', 'id', '-id'],
] as const satisfies readonly string[] as readonly ItemSort[]

/** What is looked for stands in the address: it can be gone back to, and given to somebody. */
export function useItemQuery() {
  const [parameters, setParameters] = useSearchParams()
  const get = (name: string) => parameters.get(name) || undefined
  const search = get('search')
  const category = get('category')
  const kind = itemKinds.find((each) => each === get('kind'))
  const sort = itemSorts.find((each) => each === get('sort'))
  const query: ItemQuery = {
    ...(search && { search }),
    ...(category && { category }),
    ...(kind && { kind }),
    ...(sort && { sort }),
  }
  const change = (name: keyof ItemQuery, value: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const clear = () => setParameters({}, { replace: true })
  const isFiltered = Boolean(search ?? category ?? kind)
  return { query, change, clear, isFiltered }
}
