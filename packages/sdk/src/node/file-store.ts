import type { GateStore } from '../gate/gate-store.ts'
import { type SealOptions, sealStore } from '../gate/seal.ts'
import { configError } from '../options.ts'
import { createFiles } from './files.ts'

/** The options of {@link createFileStore}. */
export interface FileStoreOptions extends SealOptions {
  /** The directory of the files, for this store alone. It is created when it is missing. */
  readonly directory: string
  /** How many results are kept, at least 1. Invalid ones are removed first. 10,000 by default; for a while there may be a tenth more. */
  readonly maxEntries?: number
  /** The clock, in milliseconds since 1970. That of the gate. */
  readonly now?: () => number
}

/**
 * Keeps the results of a gate in files, one for each code: the grace survives a restart. Several processes may share a directory.
 * Files are readable for their owner alone and are replaced atomically; expired ones are removed. Sealed as in `sealStore` of
 * `@saleproof/sdk/gate`: the files hold no code in clear, and one that was written by hand, altered or moved is not read.
 *
 * What it cannot prevent, because a computer knows no trusted time: somebody who can write to the directory may put back an older
 * copy of a file, and somebody who can also set the clock may hide how much time has passed. A power failure may undo the last writes.
 *
 * Throws a configuration error for a wrong option; a directory that cannot be used is reported by the gate, and no check fails.
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
