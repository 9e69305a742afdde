import { useSearchParams } from 'wouter'

/** The values that each filter takes; `null` for any text. */
type Allowed = Readonly<Record<string, readonly string[] | null>>

type Chosen<Filters extends Allowed> = {
  [Name in keyof Filters]?: Filters[Name] extends readonly (infer Value)[] ? Value : string
}

/** Filters in the query of the URL: they survive a reload and can be shared as a link. Unset and invalid ones are left out. */
export function useUrlFilters<Filters extends Allowed>(allowed: Filters) {
  const [params, setParams] = useSearchParams()
  const chosen = Object.entries(allowed).flatMap(([name, values]) => {
    const value = params.get(name)
    return value && (values?.includes(value) ?? true) ? [[name, value]] : []
  })
  const change = (name: keyof Filters & string, value: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return {
    // `Object.fromEntries` forgets the names.
    filters: Object.fromEntries(chosen) as Chosen<Filters>,
    change,
    clear: () => setParams({}, { replace: true }),
  }
}
