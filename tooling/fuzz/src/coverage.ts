/** Istanbul's counters of a file: https://github.com/istanbuljs/istanbuljs */
interface FileCoverage {
  s: Record<string, number> | Uint32Array
  b: Record<string, number[] | Uint32Array>
}

declare global {
  var __coverage__: Record<string, FileCoverage> | undefined
}

const maxCounters = 1 << 19

/** Classes of counts: once, twice, a few times and many times are different paths. */
const classLimits = [1, 2, 3, 7, 15, 31, 127, Number.POSITIVE_INFINITY]
const countClass = (count: number) => classLimits.findIndex((limit) => count <= limit)
const countClasses = Uint8Array.from({ length: 129 }, (_, count) => countClass(count))

/** Which instrumented code ran, and about how often. All counters are in one array, which is read and reset in microseconds. */
export function createCoverage() {
  const counters = new Uint32Array(maxCounters)
  const seen = new Uint8Array(maxCounters)
  let used = 0
  let files = 0

  function allocate(length: number) {
    if (used + length > maxCounters) throw new Error('too few counters')
    used += length
    return counters.subarray(used - length, used)
  }

  /** Moves the counters of modules that were loaded since into the array. */
  function adopt() {
    const loaded = Object.values(globalThis.__coverage__ ?? {})
    for (const file of loaded.slice(files)) {
      file.s = allocate(Object.keys(file.s).length)
      for (const [branch, paths] of Object.entries(file.b)) file.b[branch] = allocate(paths.length)
    }
    files = loaded.length
  }

  return {
    /** Resets the counts, and keeps what was seen. */
    reset() {
      adopt()
      counters.fill(0, 0, used)
    },
    /** Counts what was not seen before, and marks it as seen. With `classes` another class of counts is new as well. */
    takeNew({ classes }: { classes: boolean }): number {
      adopt()
      let fresh = 0
      for (let index = 0; index < used; index++) {
        const count = counters[index] ?? 0
        if (count === 0) continue
        const before = seen[index] ?? 0
        const bit = classes ? 1 << (countClasses[Math.min(count, 128)] ?? 0) : 1
        if ((before & bit) !== 0) continue
        seen[index] = before | bit
        fresh++
      }
      return fresh
    },
    forget: () => void seen.fill(0),
    stats: () => ({ counters: used, reached: seen.subarray(0, used).filter((bits) => bits !== 0).length }),
  }
}

export type Coverage = ReturnType<typeof createCoverage>
