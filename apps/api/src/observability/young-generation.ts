import v8 from 'node:v8'

/** The size of both halves together. */
const maxBytes = 16 * 1024 * 1024
const intervalMs = 50

const size = () =>
  v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/**
 * Lets the young generation of the heap grow to 16 MB only, and has it collected by the thread that serves: helpers would compete with it for the
 * core that it has, and it waits for the last of them. V8 lets it grow to 128 MB on a machine with much memory, where requests gain nothing by
 * it. `--max-semi-space-size` is read only when Node.js starts; the factor, whenever the young generation grows.
 */
export function capYoungGeneration() {
  function check() {
    v8.setFlagsFromString(`--semi-space-growth-factor=${size() < maxBytes ? 2 : 1}`)
  }
  check()
  v8.setFlagsFromString('--no-parallel-scavenge')
  setInterval(check, intervalMs).unref()
}
