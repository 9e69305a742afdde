import type { Purchase } from '@saleproof/schema'
import type { Settings } from '../options.ts'
import type { InvalidCheck, InvalidReason, ValidCheck } from '../types.ts'
import type { GateOptions } from './types.ts'

/** The mark of a store whose entries cannot be written by hand: how a gate opens it. Only this package sets it. */
export const sealed: unique symbol = Symbol.for('saleproof.sealed')

/** What the gate of a client with passes needs of them. */
export interface GatePasses {
  /** How long a pass may last at most. Throws where `onUnknown` says it, too. */
  readGrace(onUnknown: unknown): number
  /** When a pass for a purchase ends. NaN, which equals nothing, where it does not verify. */
  endOf(pass: unknown, code: string, purchase: Purchase): Promise<number>
  proofOf(check: ValidCheck | InvalidCheck): Partial<GateEntry> | undefined
}

/** What the gate keeps about one code, as plain JSON. */
export interface GateEntry {
  /** What the API answered. `clock` is the entry of the latest time that the gate has seen. */
  readonly outcome: 'valid' | 'invalid' | 'clock'
  /** When the API was asked, in milliseconds since 1970; of `clock` the time itself. */
  readonly at: number
  /** The purchase of a valid code. */
  readonly purchase?: Purchase | undefined
  /** Why a code is invalid. */
  readonly reason?: InvalidReason | undefined
  /** What proves the purchase to a client with passes. */
  readonly pass?: string | undefined
  /** When the pass ends. */
  readonly until?: number | undefined
}

/** What is known about a code, and where it is kept. */
export interface Found {
  readonly key: string
  readonly entry: GateEntry | undefined
  /**
   * Milliseconds since the API was asked. NaN, which is below no limit, from when the clock was set back until {@link OpenedStore.trust},
   * and where a pass has ended or does not verify.
   */
  readonly age: number
}

/** Where a gate keeps its entries. It neither fails nor hangs. */
export interface OpenedStore {
  /** Finds what is known about a code for the client with these settings. */
  find(code: string, settings: Settings | undefined): Found | Promise<Found>
  /**
   * `isGuess`: an invalid result that ended no valid one, which anybody can cause by typing. `false`, now or later, where a valid one was
   * not kept, because the entry is not `last` any more.
   */
  set(key: string, entry: GateEntry, isGuess: boolean, last: GateEntry | undefined): unknown
  remove(key: string): unknown
  /** After an answer of the API the clock is trusted again. */
  trust(): unknown
  /** Runs work. `undefined` where another process did so meanwhile, which is never left a probe, and where the signal ended it. */
  run<T>(key: string, work: (signal?: AbortSignal) => Promise<T>, isProbe: boolean): Promise<T | undefined>
  /** Notes for other processes that an outage began or ended, which the request about this key showed. */
  noteOutage?(key: string, isOutage: boolean): unknown
  /** Whether another process noted an outage. */
  hasOutage?(key: string): Promise<boolean>
}

/** What of the settings of a gate concerns its store. */
export interface OpenOptions {
  readonly store: GateStore
  readonly now: () => number
  readonly ttlMs: number
  readonly negativeTtlMs: number
  readonly graceMs: number
  readonly endOf?: GatePasses['endOf'] | undefined
  readonly log?: GateOptions['log']
}

/** Comes with the store and not with the gate, so that a bundle without a store does not contain it. */
export type OpenStore = (settings: OpenOptions) => OpenedStore

/** A store of the gate outside its own memory. Only this package makes one: any writer of another could let a code in. */
export interface GateStore {
  /** The {@link OpenStore}. */
  readonly [sealed]: unknown
  /** The entry of a key; `undefined` where there is none, and where it does not verify. */
  get(key: string): Promise<GateEntry | undefined>
  /** `keepMs`: after this many milliseconds the entry may be dropped. */
  set(key: string, entry: GateEntry, keepMs: number): Promise<void>
  /** Sets an entry if `get` would still give `previous`, the same object that it gave last, and tells whether it did. */
  replace?(key: string, previous: GateEntry | undefined, entry: GateEntry, keepMs: number): Promise<boolean>
  delete(key: string): Promise<void>
}
