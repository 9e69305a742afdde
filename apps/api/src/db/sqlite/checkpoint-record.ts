import { closeSync, constants, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { errorCode } from '../../error-code.ts'
import { giveToOwner, syncToDisk } from '../../files.ts'
import { UserError } from '../../user-error.ts'

/**
 * While a database has a log, only a checkpoint writes to its file, and only we make checkpoints. Here each leaves how the file looks:
 * a file that looks otherwise was changed by another program.
 */
export const checkpointFile = (databaseFile: string) => `${databaseFile}.checkpoint`

export interface FileState {
  inode: number
  size: number
  modifiedMs: number
}

/** What is wrong with the files of a database, and what to do. */
export interface Finding {
  finding: string
  advice: string
}

/** How the database file differs from what the last checkpoint left. */
export type Change = 'missing' | 'replaced' | 'changed'

/** Undefined where there is no file of that name. */
export function statFile(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function readFileState(file: string): FileState | undefined {
  const stats = statFile(file)
  return stats && { inode: stats.ino, size: stats.size, modifiedMs: stats.mtimeMs }
}

/** Not truncated before it is written: a full disk has no room for it again. */
const recordLength = 80

/** Undefined while a checkpoint runs, and where no service has recorded anything. */
export function readRecord(databaseFile: string): FileState | undefined {
  const file = checkpointFile(databaseFile)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [inode, size, modifiedMs] = text.trim().split(' ').map(Number)
  return inode === undefined || size === undefined || modifiedMs === undefined
    ? undefined
    : { inode, size, modifiedMs }
}

/** Opens a small file beside the database that is written over and over. */
export function openRecord(file: string, databaseFile: string): number {
  const isNew = !existsSync(file)
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  if (isNew) giveToOwner(file, databaseFile)
  return descriptor
}

export const overwrite = (descriptor: number, text: string) =>
  void writeSync(descriptor, text.padEnd(recordLength), 0)

function writeRecord(databaseFile: string, text: string) {
  const descriptor = openRecord(checkpointFile(databaseFile), databaseFile)
  overwrite(descriptor, text)
  closeSync(descriptor)
}

/** Records how the file looks now. */
export function recordState(databaseFile: string) {
  const state = readFileState(databaseFile)
  if (state) writeRecord(databaseFile, `${state.inode} ${state.size} ${state.modifiedMs}`)
}

/** From now on the file may change. The caller syncs that before it does. */
export const clearRecord = (databaseFile: string) => writeRecord(databaseFile, '')

const isSameContent = (one: FileState, other: FileState) =>
  one.size === other.size && one.modifiedMs === other.modifiedMs

const isSame = (one: FileState, other: FileState) => one.inode === other.inode && isSameContent(one, other)

/** What no checkpoint has done to the file. */
export function findChange(databaseFile: string): Change | undefined {
  for (;;) {
    const record = readRecord(databaseFile)
    const state = readFileState(databaseFile)
    if (!state) return 'missing'
    if (!record || isSame(record, state)) return undefined
    const later = readRecord(databaseFile)
    // The record that the state is compared with was there before and after.
    if (later && isSame(record, later)) return record.inode === state.inode ? 'changed' : 'replaced'
  }
}

const holdsLog = (databaseFile: string) => (statFile(`${databaseFile}-wal`)?.size ?? 0) > 0

/** What is wrong where the log beside a file belongs to that file as it was: SQLite would mix the two. A copy of the whole folder is the same. */
export function findForeignChanges(file: string): Finding | undefined {
  if (!holdsLog(file) || !findChange(file)) return undefined
  const [record, state] = [readRecord(file), readFileState(file)]
  if (!record || !state || isSameContent(record, state)) return undefined
  return {
    finding: `${file} was changed by another program, and ${file}-wal holds changes to what it was before`,
    advice: `stop the service; restore a backup, or move ${file}-wal away to use the file as it is`,
  }
}

/** Refuses a database with whose files something is wrong. */
export function refuse(found: Finding | undefined) {
  if (found) throw new UserError(`the database ${found.finding}: ${found.advice}`)
}

/** For a command that has the database for itself: what it writes to it is not recorded. */
export function forgetRecord(databaseFile: string) {
  if (!existsSync(checkpointFile(databaseFile))) return
  clearRecord(databaseFile)
  syncToDisk(checkpointFile(databaseFile))
}
