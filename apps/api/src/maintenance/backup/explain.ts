import { DatabaseError, type DatabaseErrorKind } from '../../db/errors.ts'
import { errorCode } from '../../error-code.ts'
import { UserError } from '../../user-error.ts'

const permission = 'a file may not be read or written by this user: check the permissions'
const disk = 'the disk cannot be read or written: check it'
const room = 'there is no room on the disk: make some and try again'

const databaseReasons: Readonly<Partial<Record<DatabaseErrorKind, string>>> = {
  full: room,
  not_writable: 'the database may not be written by this user: check its permissions',
  read_only_disk: 'the file system is read-only: choose another place',
  cannot_open: 'a file cannot be opened: check that its folder exists and its permissions',
  io: disk,
  busy: 'the database is locked by another process: wait until that is done',
  damaged: 'the database is damaged: restore an earlier backup',
  not_a_database: 'the database is not one of SQLite: check DATABASE_URL',
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: room,
  EDQUOT: 'the disk quota is used up: make room and try again',
  EACCES: permission,
  EPERM: permission,
  EROFS: 'the file system is read-only: choose another place',
  ENOENT: 'a file or its folder does not exist: check the path',
  ENOTDIR: 'part of the path is not a folder: check the path',
  EISDIR: 'the path is a folder: name a file',
  ENAMETOOLONG: 'the name is too long: choose a shorter one',
  EIO: disk,
}

/** Explains an expected error: which file, why, and what to do. */
export function explainBackupError(
  error: unknown,
  { databaseFile, backup }: { databaseFile: string; backup: string },
): unknown {
  const files = `${backup} or ${databaseFile}`
  if (error instanceof DatabaseError) {
    const reason = databaseReasons[error.kind]
    return reason ? new UserError(`${files}: ${reason} (${error.reason})`) : error
  }
  const code = errorCode(error)
  const reason = systemReasons[code]
  if (!reason) return error
  const path = error instanceof Error && 'path' in error ? error.path : files
  return new UserError(`${path}: ${reason} (${code})`)
}
