import { createCache } from './cache.ts'

/** Remembers what a header means: clients send the same few values over and over. */
export function memoize<Value extends string>(read: (text: string) => Value): (text: string) => Value {
  const cache = createCache<Value>({ entries: 500 })
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const value = read(text)
    if (text.length < 200) cache.set(text, value)
    return value
  }
}
