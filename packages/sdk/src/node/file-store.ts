import type { GateStore } from '../gate/gate-store.ts'
import { type SealOptions, sealStore } from '../gate/seal.ts'
import { check, isAnything, isFunction, matches, type Rules, readOptions } from '../options.ts'
import { createFiles } from './files.ts'

/** The options of {@link createFileStore}. */
export interface FileStoreOptions extends SealOptions {
  /** For the files of this store alone. It is made when it is missing. */
  readonly directory: string
  /** How many results are kept, about; invalid ones are removed first. 10,000 by default. */
  readonly maxEntries?: number | undefined
  /** The clock, in milliseconds since 1970. That of the gate. */
  readonly now?: (() => number) | undefined
}

const isPath = (value: unknown) => typeof value === 'string' && value !== ''

const rules: Rules<FileStoreOptions> = {
  directory: isPath,
  maxEntries: matches(/^[1-9]\d{0,8}$/),
  now: isFunction,
  pepper: isAnything,
}

/**
 * Keeps the results of a gate in files, one for each code: the grace survives a restart. Several processes may share a directory.
 * Files are for their owner alone and replaced atomically; expired ones are removed. Sealed as by `sealStore`. A power failure may undo
 * the last writes. The gate reports a directory that cannot be used; no check fails.
 *
 * @example
 * const store = createFileStore({ directory: '/var/lib/my-product/purchases', pepper: process.env.SALEPROOF_PEPPER })
 */
export function createFileStore(options: FileStoreOptions): GateStore {
  const { directory, maxEntries = 10_000, now = Date.now, pepper } = readOptions(options, rules)
  check('directory', directory, isPath)
  return sealStore(createFiles({ directory, maxEntries, now }), { pepper })
}
