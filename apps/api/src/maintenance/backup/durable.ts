import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname } from 'node:path'

const errorCode = (error: unknown) => (error as { code?: string }).code ?? ''

/** File systems without hard links say one of these. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** What was written to a file, or what was made and renamed in a folder, survives a power loss afterwards. */
export function syncToDisk(path: string) {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Gives a finished draft its name, unless something has that name already: then nothing happens and it is false. */
export function publish(draft: string, file: string): boolean {
  try {
    // Unlike a rename, a link never replaces what is there.
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

/** Gives a file a second name, so that it stays when another one takes its place. */
export function keepAs(file: string, kept: string) {
  try {
    linkSync(file, kept)
  } catch (error) {
    if (!noLinks.has(errorCode(error))) throw error
    copyFileSync(file, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    syncToDisk(kept)
  }
}
