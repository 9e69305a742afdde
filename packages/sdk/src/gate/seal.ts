import { check, isAnything, isFunction, matches, readOptions } from '../options.ts'
import { type GateEntry, type GateStore, type OpenStore, sealed } from './gate-store.ts'
import { openStore } from './open-store.ts'

/** A key-value store of the caller. It sees hashed keys and encrypted text only. It may fail: the gate then asks the API. */
export interface RawStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>
  /**
   * After `keepMs` milliseconds the text may be dropped. A store that is full should drop `invalid` ones first: guessed codes must
   * evict no valid one.
   */
  set(key: string, value: string, keepMs: number, outcome: GateEntry['outcome']): unknown
  /**
   * Sets a text if the stored one is still `previous`, `undefined` where there was none, and tells whether it did. Among processes that
   * share a store which has this, no slower valid result overwrites a later invalid one, and one asks where several would.
   */
  replace?(
    key: string,
    previous: string | undefined,
    value: string,
    keepMs: number,
    outcome: GateEntry['outcome'],
  ): boolean | Promise<boolean>
  delete(key: string): unknown
}

/** The options of {@link sealStore}. */
export interface SealOptions {
  /**
   * A secret of the installation, at least 32 characters. Who knows it can write entries; with another one no entry is found. A gate
   * whose client has `passes` needs none.
   */
  readonly pepper?: string | undefined
}

/** What a store had: an entry, or an error where the text does not verify. */
interface Read {
  readonly text?: string
  readonly entry?: GateEntry
  readonly error?: Error
}

/** A key that was used lately: its hash, the number of its last write, and what was read last. */
interface Recent {
  readonly name: string
  write: number
  read: Read
}

// As many as the memory of a gate holds.
const maxRecent = 10_000

const ivLength = 12

// Twice the largest response: it is encoded.
const maxLength = 2_097_152

const encode = (text: string) => new TextEncoder().encode(text)
const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** One key for names and one for entries. A change of the format takes another number: old entries are then absent. */
async function deriveKeys(pepper: string) {
  const { subtle } = crypto
  const secret = await subtle.importKey('raw', encode(pepper), 'HKDF', false, ['deriveKey'])
  const from = (use: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: encode(`saleproof ${use} 1`),
  })
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  const aes = { name: 'AES-GCM', length: 256 }
  return {
    names: await subtle.deriveKey(from('names'), secret, hmac, false, ['sign']),
    entries: await subtle.deriveKey(from('entries'), secret, aes, false, ['encrypt', 'decrypt']),
  }
}

/** Hashes keys to names, and encrypts texts so that each can be read under its own name alone. */
function createCipher(pepper: string) {
  let derived: Awaited<ReturnType<typeof deriveKeys>> | undefined
  // The keys are kept, not their promise: on Workers a promise ends with the request that made it.
  const keys = async () => {
    derived ??= await deriveKeys(pepper)
    return derived
  }
  const aes = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: encode(name),
  })
  return {
    hash: async (key: string) => toHex(await crypto.subtle.sign('HMAC', (await keys()).names, encode(key))),
    async encrypt(name: string, text: string): Promise<string> {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const bytes = await crypto.subtle.encrypt(aes(iv, name), (await keys()).entries, encode(text))
      return toBase64(new Uint8Array([...iv, ...new Uint8Array(bytes)]))
    },
    /** Rejects a text that was altered, moved or written by hand. */
    async decrypt(name: string, text: string): Promise<string> {
      const bytes = fromBase64(text)
      const algorithm = aes(bytes.slice(0, ivLength), name)
      const clear = await crypto.subtle.decrypt(algorithm, (await keys()).entries, bytes.slice(ivLength))
      return new TextDecoder().decode(clear)
    },
  }
}

/** Keys that were used lately: a hit needs no cryptography. The one that came first is dropped first. */
function createRecent(hash: (key: string) => Promise<string>) {
  const recent = new Map<string, Recent>()
  return async (key: string): Promise<Recent> => {
    const found = recent.get(key)
    if (found) return found
    const name = await hash(key)
    const added = recent.get(key) ?? { name, write: 0, read: {} }
    recent.set(key, added)
    if (recent.size > maxRecent) recent.delete(recent.keys().next().value ?? '')
    return added
  }
}

// Not the placeholder of the README.
const isPepper = matches(/^(?!YOUR_PEPPER).{32,}$/s)

/**
 * Makes a store for a gate out of a key-value store. By keys from `pepper`, names are hashed (HMAC-SHA-256) and entries encrypted
 * (AES-256-GCM): no code is in clear, and an entry that was written by hand, altered, or moved to another code is not read. The gate
 * then acts as if there were none and reports the error.
 *
 * Who can write to the store may still put back an older copy of an entry, and who can set the clock as well may hide how much time has
 * passed. Neither makes a code valid that never was, and the next answer of the API ends both.
 *
 * @example
 * const entries = new Map<string, string>()
 * const store = sealStore(
 *   { get: (key) => entries.get(key), set: (key, value) => entries.set(key, value), delete: (key) => entries.delete(key) },
 *   { pepper: process.env.SALEPROOF_PEPPER },
 * )
 * const gate = createGate({ client, store, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
 */
export function sealStore(raw: RawStore, options: SealOptions): GateStore {
  const { pepper } = readOptions(options, { pepper: isAnything })
  const secret = String(pepper ?? '').trim()
  if (pepper !== undefined) check('pepper', secret, isPepper)
  // Some platforms derive nothing from an empty one.
  const { hash, encrypt, decrypt } = createCipher(secret || 'none')
  const recentHash = createRecent(hash)
  const remove = async (name: string) => raw.delete(name)
  let writes = 0

  async function unseal(name: string, text: string): Promise<Read> {
    if (text.length > maxLength) throw new Error('an entry of the store is too large')
    try {
      const entry = JSON.parse(await decrypt(name, text), (_, value) => Object.freeze(value))
      return { text, entry }
    } catch {
      const error = new Error(
        'an entry of the store does not verify: it was altered, moved or written by hand',
      )
      return { text, error }
    }
  }

  /** Encrypting takes a while: of two writes of a key only the later one is sent, whichever is ready first. */
  async function write(key: string, send: (name: string, isLatest: () => boolean) => Promise<unknown>) {
    writes += 1
    const number = writes
    const recent = await recentHash(key)
    if (recent.write > number) return
    recent.write = number
    await send(recent.name, () => recent.write === number)
  }

  const replace: GateStore['replace'] = async (key, previous, entry, keepMs) => {
    const recent = await recentHash(key)
    const text = await encrypt(recent.name, JSON.stringify(entry))
    const { read } = recent
    if (read.entry !== previous) return false
    return !!(await raw.replace?.(recent.name, read.text, text, Math.ceil(keepMs), entry.outcome))
  }

  const open: OpenStore = (settings) => {
    if (!secret) check('pepper', settings.endOf, isFunction)
    return openStore(settings)
  }

  return Object.freeze<GateStore>({
    [sealed]: open,
    async get(key) {
      const recent = await recentHash(key)
      const text = (await raw.get(recent.name)) ?? undefined
      if (text !== recent.read.text) recent.read = text === undefined ? {} : await unseal(recent.name, text)
      const { entry, error } = recent.read
      if (error) throw error
      return entry
    },
    set: (key, entry, keepMs) =>
      write(key, async (name, isLatest) => {
        const text = await encrypt(name, JSON.stringify(entry))
        if (!isLatest()) return
        try {
          await raw.set(name, text, Math.ceil(keepMs), entry.outcome)
        } catch (error) {
          // On a full disk a deletion still works: the earlier valid result must not outlive an invalid result.
          if (entry.outcome === 'invalid' && isLatest()) await remove(name).catch(() => {})
          throw error
        }
      }),
    ...(raw.replace && { replace }),
    delete: (key) => write(key, remove),
  })
}
