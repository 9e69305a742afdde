import { errorCode } from '../error-code.ts'
import { type DatabaseErrorKind, databaseErrors } from './error-kinds.ts'

export { type DatabaseErrorKind, databaseErrors } from './error-kinds.ts'

/** The database gave no result. Made where a driver throws; nothing else reads what drivers say. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind
  /** What the driver or the system calls it, such as SQLITE_BUSY or 57014: for people who look it up. */
  readonly reason: string

  // Prisma passes an error on as it is only if it has no `code`.
  constructor(kind: DatabaseErrorKind, reason: string, cause?: unknown) {
    const { text, advice } = databaseErrors[kind]
    super(`${text}: ${advice} (${reason})`, { cause })
    this.name = 'DatabaseError'
    this.kind = kind
    this.reason = reason
  }
}

/** The label of the metric that counts an error. */
export const errorMetric = (error: unknown): string =>
  databaseErrors[error instanceof DatabaseError ? error.kind : 'other'].metric

/** Whether another process holds a lock. */
export const isBusy = (error: unknown) => error instanceof DatabaseError && error.kind === 'busy'

/** Whether a file is no whole database. */
export const isDamage = (error: unknown) =>
  error instanceof DatabaseError && (error.kind === 'damaged' || error.kind === 'not_a_database')

/** Logged once by the monitor of the file, not by each request. */
export const isLoggedByMonitor = (error: unknown) =>
  error instanceof DatabaseError && error.kind === 'file_lost'

/** Kinds by what the reasons of a driver begin with; the first one counts. */
export type KindsByReason = readonly (readonly [prefix: string, kind: DatabaseErrorKind])[]

export const kindOfReason = (kinds: KindsByReason, reason: string): DatabaseErrorKind =>
  kinds.find(([prefix]) => reason.startsWith(prefix))?.[1] ?? 'other'

/** Errors of the system about the files, threads and memory of a database. */
const systemKinds: Readonly<Record<string, DatabaseErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'not_writable',
  EACCES: 'cannot_open',
  EPERM: 'cannot_open',
  EIO: 'io',
  EMFILE: 'no_resources',
  ENFILE: 'no_resources',
  ERR_WORKER_INIT_FAILED: 'no_resources',
  ERR_WORKER_OUT_OF_MEMORY: 'no_resources',
}

/** An error of the system while it handled a file or thread of the database as a `DatabaseError`; any other error as it is. */
export function fromSystem(error: unknown): unknown {
  const code = errorCode(error)
  const kind = systemKinds[code]
  return kind ? new DatabaseError(kind, code, error) : error
}

/** The code of an error for logs and people: that of the driver or the system; `''` where it has none. */
export const readErrorCode = (error: unknown): string =>
  error instanceof DatabaseError ? error.reason : errorCode(error)

/** What a log says of an error: a message may repeat what was sent or stored. */
export const describeCause = (error: unknown) => ({
  name: error instanceof Error ? error.name : undefined,
  code: readErrorCode(error) || undefined,
})

/** A `DatabaseError` or another error on its way between threads. */
export interface ErrorMessage {
  kind: DatabaseErrorKind | undefined
  reason: string
}

export const toMessage = (error: unknown): ErrorMessage =>
  error instanceof DatabaseError
    ? { kind: error.kind, reason: error.reason }
    : { kind: undefined, reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }

export const fromMessage = ({ kind, reason }: ErrorMessage): Error =>
  kind === undefined ? new Error(reason) : new DatabaseError(kind, reason)
