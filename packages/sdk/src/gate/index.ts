export { createGate, type Gate, type GateCheck, type GateCheckOptions, type GateOptions } from './gate.ts'
export { createMemoryStore, type GateEntry, type GateStore } from './store.ts'
