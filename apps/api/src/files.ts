import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { errorCode } from './error-code.ts'
import { UserError } from './user-error.ts'

/** Where the secret of a database is, unless the operator keeps it. */
export const secretFile = (databaseFile: string) => `${databaseFile}.secret`

/** File systems without hard links answer with one of these. */
const noLinks: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
])

/** An error of the system about a file that an operator named, as one for that operator; any other error as it is. */
export function explainFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return error
  const path = 'path' in error ? error.path : file
  return new UserError(`${path}: ${getSystemErrorMessage(error.errno)} (${errorCode(error)})`)
}

/** Reads a file, each piece into the same buffer. */
export async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const buffer = Buffer.allocUnsafe(64 * 1024)
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } catch (error) {
    throw explainFileError(error, path)
  } finally {
    await file?.close()
  }
}

/** Afterwards the content of a file, or the names in a folder, survive a power loss. */
export function syncToDisk(path: string) {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Gives a finished draft its name. Changes nothing and gives false where that name is taken. */
export function publish(draft: string, file: string): boolean {
  try {
    // Unlike a rename, a link never replaces a file.
    linkSync(draft, file)
    rmSync(draft)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (!noLinks.has(errorCode(error))) throw error
    if (existsSync(file)) return false
    renameSync(draft, file)
  }
  syncToDisk(dirname(file))
  return true
}

/** Gives a file a second name, under which it stays when another one takes its place. */
export function keepAs(file: string, kept: string) {
  try {
    linkSync(file, kept)
  } catch (error) {
    if (!noLinks.has(errorCode(error))) throw error
    copyFileSync(file, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    syncToDisk(kept)
  }
}

/**
 * Gives a new file to the owner of the database, or of its folder where there is no database yet: a file of root would keep the service
 * from starting. Only root may give files away; for other users this does nothing.
 */
export function giveToOwner(file: string, databaseFile: string) {
  const { uid, gid } = statSync(existsSync(databaseFile) ? databaseFile : dirname(databaseFile))
  if (statSync(file).uid === uid) return
  try {
    chownSync(file, uid, gid)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
  }
}
