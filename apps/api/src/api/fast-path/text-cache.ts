/** A text, its length in bytes, and what else is known of it. */
export interface CachedText<Value> {
  text: string
  length: number
  value: Value
}

interface Entry<Value> {
  tag: string
  value: Value
  /** Counted over all bytes that were ever written. */
  start: number
  length: number
  encoding: 'latin1' | 'utf8'
}

/**
 * Caches texts as bytes outside the heap, where the garbage collector neither copies nor marks them: as strings they cost more than to
 * read them again. A text counts under the tag that it was set with; the oldest are overwritten.
 */
export function createTextCache<Value>(capacity: number) {
  /** In the order in which they were written. */
  const entries = new Map<string, Entry<Value>>()
  /**
   * Goes on where it was, and has the oldest entry that may be left. A map that is iterated from its start each time passes over all that was
   * deleted from its start: that takes longer than to read and write the text.
   */
  let oldest = entries.entries()
  let next: [string, Entry<Value>] | undefined
  let buffer: Buffer | undefined
  let end = 0

  /** Takes the place of the oldest; none lies across the end of the buffer. */
  function allocate(length: number): number {
    const left = capacity - (end % capacity)
    const start = left < length ? end + left : end
    end = start + length
    for (;;) {
      next ??= oldest.next().value
      if (!next) oldest = entries.entries()
      if (!next || next[1].start >= end - capacity) return start
      const [key, entry] = next
      // Otherwise it was replaced.
      if (entries.get(key) === entry) entries.delete(key)
      next = undefined
    }
  }

  return {
    get(key: string, tag: string): CachedText<Value> | undefined {
      const entry = entries.get(key)
      if (!buffer || entry?.tag !== tag) return undefined
      const { start, length, encoding, value } = entry
      const at = start % capacity
      return { text: buffer.toString(encoding, at, at + length), length, value }
    },

    set(key: string, tag: string, text: string, value: Value): CachedText<Value> {
      const length = Buffer.byteLength(text)
      entries.delete(key)
      if (length <= capacity) {
        // Memory that was never written to is not resident.
        buffer ??= Buffer.allocUnsafeSlow(capacity)
        const start = allocate(length)
        const encoding = length === text.length ? 'latin1' : 'utf8'
        buffer.write(text, start % capacity, encoding)
        entries.set(key, { tag, value, start, length, encoding })
      }
      return { text, length, value }
    },
  }
}
