export { createGate, type Gate, type GateCheck, type GateCheckOptions, type GateOptions } from './gate.ts'
export { createRedisStore, type RedisCommand, type RedisStoreOptions } from './redis-store.ts'
export { type RawStore, type SealOptions, sealStore } from './seal.ts'
export { createMemoryStore, type GateEntry, type GateStore } from './store.ts'
