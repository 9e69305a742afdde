import { existsSync, statSync } from 'node:fs'
import { DatabaseError, databaseErrors, fromSystem, readErrorCode } from '../errors.ts'
import { MigrationError } from '../migration-history.ts'

/** What keeps a file from being used, in words about that file. */
export function explain(error: unknown, file: string): unknown {
  if (error instanceof MigrationError) return error
  if (existsSync(file) && statSync(file).isDirectory())
    return new MigrationError(`the database ${file} is a folder`, 'set DATABASE_URL to a file')
  const code = readErrorCode(error)
  if (['EACCES', 'EEXIST', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EROFS'].includes(code))
    return new MigrationError(
      `the database ${file} cannot be opened (${code})`,
      'check its folder and permissions',
    )
  const known = fromSystem(error)
  if (!(known instanceof DatabaseError) || known.kind === 'other') return known
  const { text, advice } = databaseErrors[known.kind]
  return new MigrationError(`${text} (${file})`, advice, { cause: error })
}

/** Throws what keeps a file from being used in words about that file. */
export function explained<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw explain(error, file)
  }
}
