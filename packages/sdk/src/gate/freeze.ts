/** Freezes a value and all that it contains. No recursion: a response may be nested deeply. */
export function deepFreeze<T>(value: T): T {
  const values: unknown[] = [value]
  for (const one of values) {
    // What is no object is frozen.
    if (Object.isFrozen(one)) continue
    for (const inner of Object.values(Object.freeze(one as object))) values.push(inner)
  }
  return value
}
