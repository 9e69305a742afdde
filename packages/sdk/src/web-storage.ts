import type { GateStore } from './gate/gate-store.ts'
import { type RawStore, type SealOptions, sealStore } from './gate/seal.ts'
import { check, isFunction } from './options.ts'

/** What a store needs of `localStorage`, or of `AsyncStorage` of React Native. */
export interface WebStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
  /** Without it the keys are the properties of the object, as in `localStorage`. */
  getAllKeys?(): Promise<readonly string[]>
}

const prefix = 'saleproof:'
const ownName = /^saleproof:[0-9a-f]{64}$/
const maxEntries = 100

/**
 * Keeps the results of a gate in `localStorage` of a page or a Tauri window, or in `AsyncStorage` of React Native, which needs
 * `crypto.subtle` of a package. Keeps 100 of them. Sealed as by `sealStore`: that keeps out an edited entry, but no person who debugs
 * the program.
 *
 * @example
 * const store = createWebStorageStore(localStorage, { pepper: 'YOUR_PEPPER: 32 random characters or more' })
 */
export function createWebStorageStore(storage: WebStorage, options: SealOptions): GateStore {
  check('storage', Object(storage).setItem, isFunction)

  /** Makes room for an entry of this name. Expired ones go first, then guesses, then the next to expire. */
  async function makeRoom(newName: string) {
    const names = (await storage.getAllKeys?.()) ?? Object.keys(storage)
    const others = names.filter((name) => ownName.test(name) && name !== newName)
    const inOrder: [rank: string, name: string][] = []
    for (const name of others) {
      const [until = '', outcome] = ((await storage.getItem(name)) ?? '').split(' ', 2)
      const rank = Number(until) > Date.now() ? (outcome === 'invalid' ? 1 : 2) : 0
      inOrder.push([`${rank} ${until}`, name])
    }
    inOrder.sort().splice(Math.max(0, others.length - maxEntries + 1))
    for (const [, name] of inOrder) await storage.removeItem(name)
  }

  const raw: RawStore = {
    get: async (key) => (await storage.getItem(prefix + key))?.split(' ')[2],
    async set(key, text, keepMs, outcome) {
      await makeRoom(prefix + key)
      await storage.setItem(prefix + key, `${Date.now() + keepMs} ${outcome} ${text}`)
    },
    delete: (key) => storage.removeItem(prefix + key),
  }
  return sealStore(raw, options)
}
