import { existsSync, statSync } from 'node:fs'
import { codeOf, DatabaseError, type DatabaseErrorKind, fromSystem } from '../errors.ts'
import { MigrationError } from '../migration-error.ts'

type Message = readonly [finding: string, advice: string]

export const notWritable: Message = ['may not be written by this user', 'change its permissions']

/** What is wrong with the file, and what to do. */
const messages: Readonly<Partial<Record<DatabaseErrorKind, Message>>> = {
  not_a_database: ['is not an SQLite database', 'set DATABASE_URL to another file'],
  damaged: ['is damaged', 'restore a backup'],
  cannot_open: ['cannot be opened', 'check that its folder exists and may be written by this user'],
  not_writable: notWritable,
  full: ['has no room to grow', 'make room on its disk'],
  io: ['cannot be read or written', 'check its disk'],
  busy: ['is locked by another process', 'wait until it is done'],
}

export const unreadable = (file: string, [finding, advice]: Message, cause: unknown) =>
  new MigrationError(`the database ${file} ${finding}`, advice, { cause })

function explain(error: unknown, file: string): unknown {
  if (error instanceof MigrationError) return error
  if (existsSync(file) && statSync(file).isDirectory())
    return unreadable(file, ['is a folder', 'set DATABASE_URL to a file'], error)
  const code = codeOf(error)
  if (['EACCES', 'EEXIST', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EROFS'].includes(code))
    return unreadable(file, [`cannot be opened (${code})`, 'check its folder and permissions'], error)
  const known = fromSystem(error)
  const message = known instanceof DatabaseError ? messages[known.kind] : undefined
  return message ? unreadable(file, message, error) : known
}

/** Throws what keeps a file from being used in words about that file. */
export function explained<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw explain(error, file)
  }
}
