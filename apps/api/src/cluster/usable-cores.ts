/** What a process needs under load, with its share of the primary process; measured in a cgroup, see docs/deployment.md. */
const memoryOfProcess = 256 * 1024 * 1024

/** The cores that there is memory for: more processes than that would be killed. `memoryLimit` is 0 where there is none. */
export function usableCores(cores: number, memoryLimit: number): number {
  const processes = memoryLimit > 0 ? Math.floor(memoryLimit / memoryOfProcess) : cores
  return Math.max(1, Math.min(cores, processes))
}
