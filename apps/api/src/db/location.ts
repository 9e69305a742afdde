import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../error-code.ts'

/** Which database an address names. */
export const databaseKind = (url: string) => (/^postgres(ql)?:\/\//.test(url) ? 'postgresql' : 'sqlite')

function filePath(url: string, cwd: string): string {
  const path = url.replace(/^file:(?:\/\/(?=\/))?/, '').replace(/\?.*$/, '')
  try {
    return resolve(cwd, decodeURIComponent(path))
  } catch {
    // A path with a bare % is not a URL; it is still a path.
    return resolve(cwd, path)
  }
}

/** Where a link leads to, also if nothing is there yet. */
function followLinks(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path
  } catch (error) {
    const isDangling =
      errorCode(error) === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false }) !== undefined
    return isDangling ? followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path))) : path
  }
}

/**
 * The path of the SQLite file that a `file:` URL names; a relative one is relative to the working directory. Of a link it is what it
 * leads to: SQLite keeps the log there, and every process looks for the lock, the secret and the database there.
 */
export const databaseFile = (url: string, cwd: string) => followLinks(filePath(url, cwd))

/** The file beside an SQLite database for what requests leave behind: writes to the database itself would empty every cache. */
export const usageFilePath = (databaseFile: string) => `${databaseFile}.usage`

/** The migrations for PostgreSQL are beside those for SQLite. */
export const postgresMigrationsFolder = (migrations: string) => `${migrations}-postgresql`
