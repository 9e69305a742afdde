export { createGate } from './gate.ts'
export type { GateEntry, GateStore } from './gate-store.ts'
export { createRedisStore, type RedisCommand, type RedisStoreOptions } from './redis-store.ts'
export { type RawStore, type SealOptions, sealStore } from './seal.ts'
export type {
  Gate,
  GateCheck,
  GateCheckOptions,
  GateEvent,
  GateInvalid,
  GateOptions,
  GateUnknown,
  GateValid,
  OnUnknown,
} from './types.ts'
