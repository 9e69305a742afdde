import { resolve } from 'node:path'

/** Which database an address names. */
export const kindOf = (url: string) => (/^postgres(ql)?:\/\//.test(url) ? 'postgresql' : 'sqlite')

/** The path of the SQLite file that a `file:` URL names; a relative one is relative to the working directory. */
export function databaseFile(url: string, cwd: string): string {
  const path = url.replace(/^file:(?:\/\/(?=\/))?/, '').replace(/\?.*$/, '')
  try {
    return resolve(cwd, decodeURIComponent(path))
  } catch {
    // A path with a bare % is not a URL; it is still a path.
    return resolve(cwd, path)
  }
}
