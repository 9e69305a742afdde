interface CacheOptions<Value> {
  /** At most so many entries. */
  entries?: number
  /** At most so many bytes, by `sizeOf`. */
  bytes?: number
  sizeOf?: (value: Value) => number
}

export interface Cache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/**
 * A bounded map in two halves: what was not asked for while the younger half filled up is dropped with the older one. An LRU list
 * costs as much for each look-up as the look-up itself; this costs nothing for what is in the younger half.
 */
export function createCache<Value>({
  entries = Number.POSITIVE_INFINITY,
  bytes,
  sizeOf,
}: CacheOptions<Value>): Cache<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  let youngBytes = 0

  function remove(key: string) {
    young.delete(key)
    old.delete(key)
  }

  function set(key: string, value: Value) {
    const size = sizeOf?.(value) ?? 0
    if (bytes !== undefined && size > bytes / 2) return remove(key)
    if (young.size >= entries / 2 || (bytes !== undefined && youngBytes + size > bytes / 2)) {
      old = young
      young = new Map()
      youngBytes = 0
    }
    young.set(key, value)
    youngBytes += size
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) {
        old.delete(key)
        set(key, older)
      }
      return older
    },
    set,
    delete: remove,
  }
}
