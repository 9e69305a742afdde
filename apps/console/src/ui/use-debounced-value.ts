import { useEffect, useState } from 'react'

/** The value as it was when it last stood still: whoever types is not asked for at each letter. */
export function useDebouncedValue<Value>(value: Value, milliseconds = 250): Value {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
