/** Errors of Prisma and of the driver, by name: of two copies of a package `instanceof` would know only one. */
const names = /^(DatabaseUnavailable|PostgresError|PrismaClient\w*Error|DriverAdapterError|SqliteError)$/

/** What the system says where a file that belongs to the database cannot be made or read: an import has one of its own. */
const ofFiles = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']

/** What Node.js says where a thread cannot be started or go on, for want of files, threads or memory. */
const ofThreads = ['ERR_WORKER_INIT_FAILED', 'ERR_WORKER_OUT_OF_MEMORY']

const codes = new Set([...ofFiles, ...ofThreads])

/** Prisma's name for a call that is wrong in itself: that is a fault of ours, not of the database. */
const ours = 'PrismaClientValidationError'

/**
 * Whether an error means that request failed: database unavailable: the database locked, gone, full, damaged, not migrated. Whatever the
 * database says other than an answer is "unknown", never "invalid".
 */
export function isUnavailable(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  if (typeof code === 'string' && codes.has(code)) return true
  return typeof name === 'string' && names.test(name) && name !== ours
}

/** The database is not to be asked, or what it was told is not certain to be stored. */
export class DatabaseUnavailable extends Error {
  readonly code = 'DATABASE_LOST'

  constructor() {
    super('the database is not where it was')
    this.name = 'DatabaseUnavailable'
  }
}
