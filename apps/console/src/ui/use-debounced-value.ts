import { useEffect, useState } from 'react'

/** The value once it has not changed for a while. */
export function useDebouncedValue<Value>(value: Value, delayMs = 250): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}
