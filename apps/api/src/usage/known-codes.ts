import type { KnownCode } from './usage-store.ts'

/** Further codes are not noted until these are written: a flood must not fill the memory. */
const maxPending = 50_000

/** Remembers which codes visitors validated. A visitor is a publishable key and an address; nothing is kept but a keyed hash. */
export function createKnownCodes({ hash, now }: { hash: (text: string) => string; now: () => number }) {
  const pending = new Map<string, KnownCode>()
  // No key contains a space, so this is never the hash of a key.
  const refOf = (visitor: string, code: string) => hash(`known code ${visitor} ${code}`)

  return {
    refOf,
    note(visitor: string, code: string) {
      if (pending.size >= maxPending) return
      const ref = refOf(visitor, code)
      pending.set(ref, { ref, at: now() })
    },
    isPending: (ref: string) => pending.has(ref),
    take(limit: number): KnownCode[] {
      const taken = [...pending.values()].slice(0, limit)
      for (const { ref } of taken) pending.delete(ref)
      return taken
    },
  }
}
