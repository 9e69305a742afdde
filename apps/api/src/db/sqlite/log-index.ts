import { closeSync, openSync, readSync, statSync } from 'node:fs'

/**
 * The index of the write-ahead log, a file that SQLite shares between processes by mapping it: reading a few bytes of it shows what others
 * do without a lock. See https://www.sqlite.org/walformat.html#the_wal_index_file_format
 *
 * To close a descriptor drops every lock that the process has on that file, those of SQLite in other threads as well. So each is kept for
 * as long as the store is open, and there is one for each index that ever was.
 */
export function createLogIndex(databaseFile: string) {
  const file = `${databaseFile}-shm`
  const known = new Map<string, number>()
  return {
    /** A descriptor of the index that is in use now; undefined where there is none. */
    descriptor() {
      try {
        const { dev, ino } = statSync(file)
        const name = `${dev}:${ino}`
        const descriptor = known.get(name) ?? openSync(file, 'r')
        known.set(name, descriptor)
        return descriptor
      } catch {
        return undefined
      }
    },
    /** Only when no connection of this process, in whichever thread, is open any more. */
    close() {
      for (const descriptor of known.values()) closeSync(descriptor)
      known.clear()
    },
  }
}

export type LogIndex = ReturnType<typeof createLogIndex>

/** How far the log has been moved into the database. */
export interface Progress {
  /** Two numbers that change each time the log restarts. */
  salts: readonly [number, number]
  frames: number
  moved: number
}

const bytes = new Int32Array(25)

export function readProgress(descriptor: number | undefined): Progress | undefined {
  if (descriptor === undefined || readSync(descriptor, bytes, 0, bytes.byteLength, 0) !== bytes.byteLength)
    return undefined
  const at = (place: number) => bytes[place] ?? 0
  return { salts: [at(8), at(9)], frames: at(4), moved: at(24) }
}
