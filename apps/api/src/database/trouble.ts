/** What a command can tell of an error of the database. */
interface DatabaseTrouble {
  code?: unknown
  cause?: { originalCode?: unknown } | undefined
  meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } }
}

/** SQLite's own code: the driver gives it as it is, Prisma inside what it makes of it, and its adapter inside that alone. */
export function sqliteCode(error: unknown): string {
  const { code, meta, cause } = (error ?? {}) as DatabaseTrouble
  const inner = meta?.driverAdapterError?.cause?.originalCode ?? cause?.originalCode
  return String(inner ?? code ?? '')
}

/** Kinds of trouble that can be told apart, whatever the database is. */
export type TroubleKind = (typeof kinds)[number][1] | 'other'

// The first that the code begins with: SQLite's extended codes add what exactly happened.
const kinds = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'readonly'],
  ['SQLITE_CANTOPEN', 'cannot_open'],
  ['SQLITE_PERM', 'cannot_open'],
  ['SQLITE_IOERR', 'io'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
] as const

export const troubleKinds: readonly TroubleKind[] = [...new Set(kinds.map(([, kind]) => kind)), 'other']

/** The kind of an error of the database. */
export function databaseTroubleKind(error: unknown): TroubleKind {
  const code = sqliteCode(error)
  return kinds.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other'
}

// The first that the code begins with: SQLite's extended codes add what exactly happened.
const texts: readonly (readonly [prefix: string, text: string])[] = [
  ['SQLITE_BUSY', 'another command or an import is writing to the database: try again when it is done'],
  ['SQLITE_LOCKED', 'another command or an import is writing to the database: try again when it is done'],
  ['SQLITE_FULL', 'the disk is full: make room and try again; nothing was changed'],
  ['SQLITE_READONLY', 'the database cannot be written to: check the permissions of its file and folder'],
  ['SQLITE_CANTOPEN', 'the database cannot be opened: check the permissions of its file and folder'],
  ['SQLITE_PERM', 'the database cannot be opened: check the permissions of its file and folder'],
  ['SQLITE_IOERR', 'the disk of the database reports an error: nothing was changed'],
  ['SQLITE_CORRUPT', 'the database file is damaged: put back a copy of it'],
  ['SQLITE_NOTADB', 'the file that DATABASE_URL names is not a database of Saleproof'],
  ['ENOSPC', 'the disk is full: make room and try again; nothing was changed'],
  ['EROFS', 'the disk of the database is read-only'],
]

/** One line for a person about an error of the database or its disk, without anything that was to be stored. */
export function databaseTrouble(error: unknown): string | undefined {
  const code = sqliteCode(error)
  const text = texts.find(([prefix]) => code.startsWith(prefix))?.[1]
  return text && `${text} (${code})`
}
