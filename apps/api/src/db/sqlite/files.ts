import { type Stats, statSync } from 'node:fs'
import { errorCode } from '../../error-code.ts'
import { holdsUnmoved, type LogIndex, type Progress, readProgress } from './log-index.ts'

/** What may be wrong with the files of an open database. */
export type FileLoss =
  /** There is no file of its name. */
  | 'missing'
  /** Another file has its name. */
  | 'replaced'
  /** Another program than SQLite has written to it, or cut it off. */
  | 'changed'
  /** The log or its index is gone or another one: later commits of other processes are not seen here. */
  | 'log'

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    // A folder that may not be searched any more says nothing about the open file.
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

const isSame = (one: Stats | undefined, other: Stats | undefined) =>
  one?.ino === other?.ino && one?.dev === other?.dev

const isUntouched = (one: Stats, other: Stats) => one.mtimeMs === other.mtimeMs && one.size === other.size

/** Whether a checkpoint may have written between two looks at the index of the log. */
const isCheckpoint = (before: Progress | undefined, now: Progress | undefined) =>
  !before ||
  !now ||
  now.moved !== now.attempted ||
  now.moved !== before.moved ||
  now.attempted !== before.attempted ||
  now.salts.some((salt, index) => salt !== before.salts[index])

/**
 * Remembers the files that a connection is open on, and notices when they change. While the log is used, only a checkpoint writes to the
 * database itself, and it announces itself in the index of the log first: any other write is that of another program.
 */
export function rememberFiles(databaseFile: string, index: LogIndex) {
  const log = [`${databaseFile}-wal`, `${databaseFile}-shm`].map((name) => ({ name, stats: look(name) }))
  const descriptor = index.descriptor()
  let trusted = true
  // In this order: a checkpoint between the two counts as a later one, and explains what it wrote.
  let progress = readProgress(descriptor)
  let main = look(databaseFile)

  function wasChanged(found: Stats): boolean {
    if (!main || !trusted || isUntouched(found, main)) return false
    const now = readProgress(descriptor)
    if (!isCheckpoint(progress, now)) return true
    progress = now
    main = look(databaseFile) ?? found
    return false
  }

  function lossOfMain(): FileLoss | undefined {
    const found = look(databaseFile)
    if (!found) return 'missing'
    if (!isSame(found, main)) return 'replaced'
    return wasChanged(found) ? 'changed' : undefined
  }

  return {
    /** Looks at the database alone: as cheap as a look can be. */
    lossOfMain,
    loss: (): FileLoss | undefined =>
      lossOfMain() ?? (log.every(({ name, stats }) => isSame(look(name), stats)) ? undefined : 'log'),
    /** The files of the log that are still where they were. */
    ownLog: () => log.filter(({ name, stats }) => stats && isSame(look(name), stats)).map(({ name }) => name),
    /** Whether the log holds changes that the database lacks. */
    hasUnmoved: () => holdsUnmoved(readProgress(descriptor)),
    /** Whether other processes already write to another log, because this one was gone. */
    othersUseAnotherLog() {
      const used = index.descriptor()
      return used !== descriptor && (readProgress(used)?.frames ?? 0) > 0
    },
    /** Ignores times of change from now on: on some file systems they come late. */
    distrustTimes() {
      trusted = false
    },
  }
}

export type RememberedFiles = ReturnType<typeof rememberFiles>

/** A snapshot of a file: one that is still being written has another snapshot later. */
export interface Snapshot {
  id: string
  size: number
}

export function snapshotOf(file: string): Snapshot | undefined {
  const found = look(file)
  return found && { id: `${found.dev}:${found.ino}:${found.mtimeMs}`, size: found.size }
}
