import type { GateStore } from '../gate/gate-store.ts'
import { type SealOptions, sealStore } from '../gate/seal.ts'
import { configError } from '../options.ts'
import { createFiles } from './files.ts'

/** The options of {@link createFileStore}. */
export interface FileStoreOptions extends SealOptions {
  /** For the files of this store alone. It is made when it is missing. */
  readonly directory: string
  /** How many results are kept, about; invalid ones are removed first. 10,000 by default. */
  readonly maxEntries?: number
  /** The clock, in milliseconds since 1970. That of the gate. */
  readonly now?: () => number
}

/**
 * Keeps the results of a gate in files, one for each code: the grace survives a restart. Several processes may share a directory.
 * Files are for their owner alone and replaced atomically; expired ones are removed. Sealed as by `sealStore`, with the same limits:
 * who can write to the directory may put back older files. A power failure may undo the last writes.
 *
 * Throws a configuration error for a wrong option. A directory that cannot be used is reported by the gate; no check fails.
 *
 * @example
 * const store = createFileStore({ directory: '/var/lib/my-product/purchases', pepper: process.env.SALEPROOF_PEPPER ?? '' })
 * const gate = createGate({ client, store, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
 */
export function createFileStore(options: FileStoreOptions): GateStore {
  const { directory, maxEntries = 10_000, now = Date.now } = options
  if (typeof directory !== 'string' || !directory)
    throw configError('`directory` must be the path of a directory for the files of the store.')
  if (!Number.isInteger(maxEntries) || maxEntries < 1)
    throw configError('`maxEntries` must be a whole number, at least 1.')
  return sealStore(createFiles({ directory, maxEntries, now }), options)
}
