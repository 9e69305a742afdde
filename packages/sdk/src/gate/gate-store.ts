import type { Purchase } from '@saleproof/schema'
import type { InvalidReason } from '../types.ts'

/** The mark of a store whose entries cannot be written by hand. Only this package sets it. */
export const sealed: unique symbol = Symbol.for('saleproof.sealed')

/**
 * What the gate keeps about one purchase code. Plain JSON without the code: before the gate hands an entry to a store, it empties
 * `purchase.purchase_code` and leaves out every spelling.
 */
export interface GateEntry {
  /** What the API answered; `clock` for the entry that holds the highest time that the gate has seen. */
  readonly outcome: 'valid' | 'invalid' | 'clock'
  /** When the API was asked, in milliseconds since 1970; of `clock` the time itself. */
  readonly at: number
  /** Of a valid code. */
  readonly purchase?: Purchase
  /** Of an invalid code. */
  readonly reason?: InvalidReason
  /** Whether the answer also holds for the canonical form of the code. */
  readonly canonical?: boolean
  /** Whether the answer holds for no spelling but the one that was sent (and the canonical form, where `canonical` says so). */
  readonly exact?: boolean
  /** Whether a spelling was sent that is not the canonical form. */
  readonly respelled?: boolean
  /** How many spellings were sent within a short time. */
  readonly spellings?: number
}

/**
 * A store of the gate outside its own memory. `sealStore`, `createFileStore`, `createRedisStore` and `createMemoryStore` make one; a
 * plain object is refused, because whoever can write to it could let a code in.
 *
 * Keys are plain text and contain the code: the store must hash them. Every method may fail or hang.
 */
export interface GateStore {
  readonly [sealed]: true
  /** The entry of a key; `undefined` where there is none, and where it does not verify. */
  get(key: string): Promise<GateEntry | undefined>
  /** `keepMs`: after this many milliseconds the entry may be dropped. */
  set(key: string, entry: GateEntry, keepMs: number): Promise<void>
  delete(key: string): Promise<void>
}
