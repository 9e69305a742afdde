import { type Stats, statSync } from 'node:fs'
import { holdsUnmoved, type LogIndex, type Progress, readProgress } from './log-index.ts'

/** What may be wrong with the files of a database that is open. */
export type Loss =
  /** Nothing stands where it was. */
  | 'missing'
  /** Another file stands there. */
  | 'replaced'
  /** Something else than SQLite has written to it, or cut it off. */
  | 'changed'
  /** Its log, or the index of that, is gone or another: what others commit from now on does not show here. */
  | 'log'

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    // A folder that may not be searched any more says nothing of the file: what is open stays open.
    if ((error as { code?: string }).code === 'ENOTDIR') return undefined
    throw error
  }
}

const isSame = (one: Stats | undefined, other: Stats | undefined) =>
  one?.ino === other?.ino && one?.dev === other?.dev

const isUntouched = (one: Stats, other: Stats) => one.mtimeMs === other.mtimeMs && one.size === other.size

function isExplained(before: Progress | undefined, now: Progress | undefined): boolean {
  if (!before || !now) return true
  return (
    now.moved !== now.attempted ||
    now.moved !== before.moved ||
    now.attempted !== before.attempted ||
    now.salts.some((salt, place) => salt !== before.salts[place])
  )
}

/**
 * Remembers the files of a database that a connection is open on, and tells when they are others. While the log is used, nothing but a
 * checkpoint writes to the database itself, and a checkpoint announces itself in the index of the log first: what was written without
 * that, something else has written.
 */
export function rememberFiles(databaseFile: string, index: LogIndex) {
  const names = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`] as const
  const descriptor = index.descriptor()
  let trusted = true
  // In this order: a checkpoint between the two is taken for one that came later, and explains what it wrote.
  let progress = readProgress(descriptor)
  let main = look(names[0])
  const beside = [look(names[1]), look(names[2])] as const

  function wasChanged(found: Stats): boolean {
    if (!main || !trusted || isUntouched(found, main)) return false
    const now = readProgress(descriptor)
    if (!isExplained(progress, now)) return true
    progress = now
    main = look(names[0]) ?? found
    return false
  }

  function lossOfMain(): Loss | undefined {
    const found = look(names[0])
    if (!found) return 'missing'
    if (!isSame(found, main)) return 'replaced'
    return wasChanged(found) ? 'changed' : undefined
  }

  return {
    /** Looks at the database alone: as cheap as a look can be. */
    lossOfMain,
    loss: (): Loss | undefined =>
      lossOfMain() ??
      (isSame(look(names[1]), beside[0]) && isSame(look(names[2]), beside[1]) ? undefined : 'log'),
    /** Which of the two files of the log are still where they were. */
    ownLog: () =>
      [names[1], names[2]].filter((name, place) => beside[place] && isSame(look(name), beside[place])),
    /** Whether the log holds what is not in the database yet. */
    hasUnmoved: () => holdsUnmoved(readProgress(descriptor)),
    /** Whether others have begun to write to another log, because this one was not where it was. */
    isLogForsaken() {
      const used = index.descriptor()
      return used !== descriptor && (readProgress(used)?.frames ?? 0) > 0
    },
    /** Takes times of change for meaningless from now on: there are file systems on which they come late. */
    distrustTimes() {
      trusted = false
    },
  }
}

export type RememberedFiles = ReturnType<typeof rememberFiles>

/** A file as it is at one moment, to see whether it is still being written. */
export function placeOf(file: string) {
  const found = look(file)
  return found && { id: `${found.dev}:${found.ino}:${found.mtimeMs}`, size: found.size }
}
