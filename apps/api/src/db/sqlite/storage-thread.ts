import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { workerFile } from '../../worker-options.ts'
import { createThread } from './thread.ts'

export type StorageCall =
  /** Statements that the connection which writes runs once. */
  | { method: 'prepare'; statements: readonly string[] }
  /** A statement on the connection that writes, or a query on a connection of its own. */
  | { method: 'run' | 'read'; sql: string; values: readonly unknown[] }
  /** Moves the log into the file as far as nothing has to be waited for, and says whether that was all of it. */
  | { method: 'checkpoint'; mode: 'PASSIVE' | 'TRUNCATE' }
  /** A statement of Prisma on the connection that writes, in a transaction that has begun or by itself. */
  | { method: 'queryRaw' | 'executeRaw'; query: SqlQuery; joined: boolean }

interface StorageOptions {
  file: string
  /** How long a statement waits for the lock of another process. */
  timeoutMs?: number
}

/** A thread that runs statements on an SQLite file. */
export const createStorageThread = ({ file, timeoutMs = 5000 }: StorageOptions) =>
  createThread<StorageCall>(workerFile('storage-worker', import.meta.url), {
    workerData: { file, timeoutMs },
  })
