import { useSearchParams } from 'wouter'

/** Filters in the query of the URL: they survive a reload and can be shared as a link. Unset ones are `''`. */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  // `Object.fromEntries` forgets the names.
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
    Name,
    string
  >
  const change = (name: Name, value: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return { filters, change, clear: () => setParams({}, { replace: true }) }
}
