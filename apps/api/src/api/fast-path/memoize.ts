import { createCache } from './cache.ts'

/** Remembers what a header was found to mean: clients send the same few texts over and over. */
export function memoize<Value extends string>(read: (text: string) => Value): (text: string) => Value {
  const kept = createCache<Value>({ entries: 500 })
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const value = read(text)
    if (text.length < 200) kept.set(text, value)
    return value
  }
}
