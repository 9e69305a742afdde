/** The least time that a run took, in milliseconds, which a busy machine hardly changes. */
export function costOf(work: () => unknown, runs = 15): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    work()
    least = Math.min(least, performance.now() - begun)
  }
  return least
}
