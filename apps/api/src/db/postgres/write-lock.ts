import type { ClientBase } from 'pg'

/** A number of ours among the advisory locks of the database. */
const lockNumber = 7_253_370_282

/** How long a writer waits for another one. */
const timeoutMs = 5000

/**
 * Taken first by every transaction of ours that writes, and held until it ends: one writes at a time, as in an SQLite file. What a writer
 * has read to decide what to write is so what is there when it writes.
 */
export const writeLock = `SELECT set_config('lock_timeout', '${timeoutMs}', true), pg_advisory_xact_lock(${lockNumber})`

export const takeWriteLock = async (client: ClientBase) => void (await client.query(writeLock))
