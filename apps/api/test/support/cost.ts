/**
 * The least time that a run of each work took, in milliseconds, which a busy machine hardly changes.
 * Their runs take turns, so that none has the compiled code of the other and not its own.
 */
export function costsOf(works: readonly (() => unknown)[], runs = 15): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < runs; run++)
    for (const [index, work] of works.entries()) {
      const begun = performance.now()
      work()
      least[index] = Math.min(least[index]!, performance.now() - begun)
    }
  return least
}

/** The same of work that other threads of the process share: their processor time. */
export async function processorCostsOf(
  works: readonly (() => Promise<unknown>)[],
  runs = 6,
): Promise<number[]> {
  const least = works.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < runs; run++)
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      least[index] = Math.min(least[index]!, (user + system) / 1000)
    }
  return least
}
