import type { GateStore } from './gate/gate-store.ts'
import type { RedisStoreOptions } from './gate/redis-store.ts'
import { sealStore } from './gate/seal.ts'
import { check, isAnything, isFunction, readOptions } from './options.ts'

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
 * Keeps the results of a gate in Workers KV, for all isolates. Sealed as by `sealStore`. Writes a key at most once a second, and the time
 * that the gate has seen once a minute. KV shows a write elsewhere after up to a minute: so long may a refund go unnoticed beyond `ttlMs`.
 *
 * @example
 * const store = createWorkersKvStore(env.PURCHASES, { pepper: env.SALEPROOF_PEPPER })
 */
export function createWorkersKvStore(namespace: KvNamespace, options: RedisStoreOptions): GateStore {
  check('namespace', Object(namespace).put, isFunction)
  const { prefix = 'saleproof:', pepper } = readOptions(options, { prefix: isAnything, pepper: isAnything })
  /** The writes of this isolate in the last minute, and what they said. */
  const writes = new Map<string, { readonly at: number; readonly said: string }>()

  /** Sends a write when KV takes it, unless the same was said within `repeatMs`. */
  async function write(key: string, said: string, repeatMs: number, send: () => Promise<unknown>) {
    const now = performance.now()
    const last = writes.get(key)
    if (last?.said === said && now - last.at < repeatMs) return
    const at = Math.max(now, last ? last.at + writeEveryMs : 0)
    writes.delete(key)
    writes.set(key, { at, said })
    for (const [old, sent] of writes) if (now - sent.at >= visibleMs) writes.delete(old)
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now))
    await send().catch((error) => {
      writes.set(key, { at, said: '' })
      throw error
    })
  }

  return sealStore(
    {
      get: (key) => namespace.get(prefix + key),
      set(key, text, keepMs, outcome) {
        // An outage, which is kept for a minute, is said again while it lasts.
        const repeatMs = outcome === 'clock' ? Math.min(keepMs / 2, visibleMs) : writeEveryMs
        const expirationTtl = Math.ceil((keepMs + visibleMs) / 1_000)
        return write(key, outcome, repeatMs, () => namespace.put(prefix + key, text, { expirationTtl }))
      },
      delete: (key) => write(key, 'deleted', writeEveryMs, () => namespace.delete(prefix + key)),
    },
    { pepper },
  )
}
