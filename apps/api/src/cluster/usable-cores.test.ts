import { expect, test } from 'vitest'
import { usableCores } from './usable-cores.ts'

const mib = 1024 * 1024

test.each([
  ['without a limit', 8, 0, 8],
  // What Node.js gives for no limit in cgroup v1.
  ['with a limit past all memory', 8, 18446744073709552000, 8],
  ['with much memory', 8, 16_384 * mib, 8],
  ['with memory for some', 8, 1024 * mib, 4],
  ['with memory for one and a half', 2, 400 * mib, 1],
  ['with memory for less than one', 2, 128 * mib, 1],
])('%s', (_name, cores, memoryLimit, expected) => {
  expect(usableCores(cores, memoryLimit)).toBe(expected)
})
