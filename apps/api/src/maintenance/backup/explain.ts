import { UserError } from '../../user-error.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room on the disk: make some and try again',
  SQLITE_FULL: 'there is no room on the disk: make some and try again',
  EDQUOT: 'the disk quota is used up: make room and try again',
  EACCES: 'a file may not be read or written by this user: check the permissions',
  EPERM: 'a file may not be read or written by this user: check the permissions',
  SQLITE_READONLY: 'the database may not be written by this user: check its permissions',
  SQLITE_CANTOPEN: 'a file cannot be opened: check that its folder exists and its permissions',
  EROFS: 'the file system may only be read: choose another place',
  ENOENT: 'a file or its folder is not there: check the path',
  ENOTDIR: 'part of the path is not a folder: check the path',
  EISDIR: 'the path is a folder: name a file',
  ENAMETOOLONG: 'the name is too long: choose a shorter one',
  EIO: 'the disk cannot be read or written: check it',
  SQLITE_IOERR: 'the disk cannot be read or written: check it',
  SQLITE_BUSY: 'the database is locked by another process: wait until that is done',
  SQLITE_CORRUPT: 'the database is damaged: restore an earlier backup',
  SQLITE_NOTADB: 'the database is not one of SQLite: check DATABASE_URL',
}

/** What is expected to go wrong, in words: the file that it is about, why, and what to do. */
export function explainBackupError(
  error: unknown,
  { databaseFile, backup }: { databaseFile: string; backup: string },
): unknown {
  const { code: given, path } = (error ?? {}) as { code?: string; path?: string }
  const code = String(given ?? '')
  const known = Object.keys(reasons).find((prefix) => code.startsWith(prefix))
  if (!known) return error
  return new UserError(`${path ?? `${backup} or ${databaseFile}`}: ${reasons[known]} (${code})`)
}
