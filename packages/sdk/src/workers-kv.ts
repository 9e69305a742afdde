import type { GateStore } from './gate/gate-store.ts'
import { type RawStore, type SealOptions, sealStore } from './gate/seal.ts'
import { check, isFunction } from './options.ts'

/** What a store needs of a namespace of Workers KV. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options: { expirationTtl: number }): Promise<unknown>
  delete(key: string): Promise<unknown>
}

// KV takes a write a second for each key, which may arrive late, and shows it everywhere after a minute.
const writeEveryMs = 1_100
const visibleMs = 60_000

/**
 * Keeps the results of a gate in Workers KV, for all isolates. Sealed as by `sealStore`. Writes a key at most once a second. KV shows a
 * write elsewhere after up to a minute: so long may a refund go unnoticed beyond `ttlMs`.
 *
 * @example
 * const store = createWorkersKvStore(env.PURCHASES, { pepper: env.SALEPROOF_PEPPER })
 */
export function createWorkersKvStore(namespace: KvNamespace, options: SealOptions): GateStore {
  check('namespace', Object(namespace).put, isFunction)
  /** The last writes of this isolate, and what they said. */
  const writes = new Map<string, { at: number; said: string }>()

  /** Sends a write when KV takes it, unless the same was said just before. */
  async function write(key: string, said: string, send: () => Promise<unknown>) {
    const now = performance.now()
    for (const [old, { at }] of writes) if (now - at >= writeEveryMs) writes.delete(old)
    const last = writes.get(key)
    if (last?.said === said) return
    const own = { at: last ? last.at + writeEveryMs : now, said }
    writes.set(key, own)
    if (last) await new Promise((resolve) => setTimeout(resolve, own.at - now))
    // A timer may be late.
    own.at = performance.now()
    await send().catch((error) => {
      own.said = ''
      throw error
    })
  }

  const raw: RawStore = {
    get: (key) => namespace.get(key),
    set(key, text, keepMs, outcome) {
      const expirationTtl = Math.ceil((keepMs + visibleMs) / 1_000)
      return write(key, outcome, () => namespace.put(key, text, { expirationTtl }))
    },
    delete: (key) => write(key, 'deleted', () => namespace.delete(key)),
  }
  return sealStore(raw, options)
}
