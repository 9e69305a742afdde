/** Limits calls of a function to one per interval. */
export function throttle(intervalMs: number, act: () => void): () => void {
  let next = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now < next) return
    next = now + intervalMs
    act()
  }
}
