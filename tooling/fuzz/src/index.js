export { readInputs } from './corpus.ts';
export { fuzz } from './fuzz.ts';
export { serveFuzzer } from './serve-fuzzer.ts';
