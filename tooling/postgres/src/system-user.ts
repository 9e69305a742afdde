import { chmodSync, chownSync, cpSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runSync } from '@saleproof/process'

export interface SystemUser {
  uid: number
  gid: number
}

const readId = (flag: '-u' | '-g') => Number(runSync(['id', flag, 'nobody'], { cwd: '/' }))

/** PostgreSQL refuses to run as root. Every system has `nobody`; to make a user for this would change the machine. */
export const unprivileged = (): SystemUser | undefined =>
  process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : undefined

const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o005) === 0o005 && (folder === dirname(folder) || isOpenToAll(dirname(folder)))

/** The folder of the programs, or a copy of it where the user may not come to it: a checkout below /root, for one. */
export function reachable(programs: string, home: string, user: SystemUser | undefined): string {
  if (!user || isOpenToAll(join(programs, 'bin'))) return programs
  const copy = join(home, 'programs')
  cpSync(programs, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** A folder that belongs to the user alone. */
export function makeFolder(folder: string, user: SystemUser | undefined) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
}
