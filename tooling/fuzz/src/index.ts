export { readInputs } from './corpus.ts'
export { fuzz, type Target } from './fuzz.ts'
export type { Random } from './random.ts'
export { serveFuzzer } from './serve-fuzzer.ts'
