/** Limits calls of a function to one per interval. */
export function throttle<Values extends unknown[]>(intervalMs: number, act: (...values: Values) => void) {
  let next = Number.NEGATIVE_INFINITY
  return (...values: Values) => {
    const now = performance.now()
    if (now < next) return
    next = now + intervalMs
    act(...values)
  }
}
