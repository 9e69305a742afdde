import type { Purchase, Shape } from '@saleproof/schema'
import type { InvalidReason } from '../types.ts'

/** A cached result. Plain JSON: an external store may keep it as text. It never holds the code itself. */
export interface GateEntry<S extends Shape = Shape> {
  readonly outcome: 'valid' | 'invalid'
  /** When the API was asked, in milliseconds since 1970. */
  readonly at: number
  /** The latest known time when this entry was last used in an outage: an earlier clock was set back. */
  readonly seen?: number
  /** Of a valid code; in an external store its `purchase_code` is empty. */
  readonly purchase?: Purchase<S>
  /** Of an invalid code. */
  readonly reason?: InvalidReason
}

/**
 * Where the gate caches results. It may fail or hang: the gate then asks the API. An external store sees only hashed codes.
 */
export interface GateStore {
  get(key: string): GateEntry | undefined | null | Promise<GateEntry | undefined | null>
  /** `keepMs`: after this long the entry may be dropped. */
  set(key: string, entry: GateEntry, keepMs: number): unknown
}

/**
 * The default store: a bounded number of codes in the memory of the process. Invalid codes are kept apart, so that guessed codes
 * evict no valid one.
 *
 * @example
 * createGate({ client, store: createMemoryStore({ maxEntries: 1_000 }) })
 */
export function createMemoryStore({ maxEntries = 10_000 }: { maxEntries?: number } = {}): GateStore {
  return createMemory<GateEntry>(maxEntries)
}

/** The default store, for entries of any type. */
export function createMemory<Entry extends GateEntry>(maxEntries = 10_000) {
  const outcomes = { valid: new Map<string, Entry>(), invalid: new Map<string, Entry>() }
  return {
    get: (key: string) => outcomes.invalid.get(key) ?? outcomes.valid.get(key),
    set(key: string, entry: Entry) {
      for (const entries of [outcomes.valid, outcomes.invalid]) entries.delete(key)
      const entries = outcomes[entry.outcome]
      entries.set(key, entry)
      const [oldest = ''] = entries.keys()
      if (entries.size > maxEntries) entries.delete(oldest)
    },
  }
}
