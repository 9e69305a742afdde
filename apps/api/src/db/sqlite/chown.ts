import { chownSync, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives a file that was made here to whoever owns the database, or the folder of one that is not there yet: made by root, it would keep
 * the service from starting. Whoever may not give files away is not root.
 */
export function giveToOwner(file: string, databaseFile: string) {
  const { uid, gid } = statSync(existsSync(databaseFile) ? databaseFile : dirname(databaseFile))
  if (statSync(file).uid === uid) return
  try {
    chownSync(file, uid, gid)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPERM') throw error
  }
}
