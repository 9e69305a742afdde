/** Freezes a value and all that it contains. No recursion: a response may be nested deeply. */
export function deepFreeze<T>(value: T): T {
  const values: unknown[] = [value]
  for (const one of values) {
    if (Object(one) !== one || Object.isFrozen(one)) continue
    Object.freeze(one)
    for (const inner of Object.values(Object(one))) values.push(inner)
  }
  return value
}
