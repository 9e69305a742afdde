import { resolve } from 'node:path'

/** The path of the SQLite file that a `file:` URL names; a relative one is relative to the working directory. */
export function databaseFile(url: string, cwd: string): string {
  const path = url.replace(/^file:(?:\/\/(?=\/))?/, '').replace(/\?.*$/, '')
  return resolve(cwd, decodeURI(path))
}
