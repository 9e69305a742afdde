/** Does something at most once in so many milliseconds, however often it is asked to. */
export function throttle(everyMs: number, act: () => void): () => void {
  let next = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now < next) return
    next = now + everyMs
    act()
  }
}
