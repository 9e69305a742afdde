import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { statFile } from './checkpoint-record.ts'

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
interface Progress {
  /** Two numbers that change each time the log restarts. */
  salts: readonly [number, number]
  frames: number
  moved: number
}

const bytes = new Int32Array(25)

function readProgress(descriptor: number | undefined): Progress | undefined {
  if (descriptor === undefined || readSync(descriptor, bytes, 0, bytes.byteLength, 0) !== bytes.byteLength)
    return undefined
  const at = (place: number) => bytes[place] ?? 0
  return { salts: [at(8), at(9)], frames: at(4), moved: at(24) }
}

const headerBytes = 32
const frameHeaderBytes = 24

/** Notices when the log of an open database, or the log's index, is not what SQLite has made of it. */
export function watchLog(databaseFile: string, { index, pageSize }: { index: LogIndex; pageSize: number }) {
  const [log, indexFile] = [`${databaseFile}-wal`, `${databaseFile}-shm`]
  const own = [log, indexFile].map((name) => ({ name, inode: statFile(name)?.ino }))
  const descriptor = index.descriptor()
  let indexSize = statFile(indexFile)?.size ?? 0

  const isRemoved = () => own.some(({ name, inode }) => statFile(name)?.ino !== inode)

  /** SQLite crashes the process when it reads an index that was truncated. */
  function isIndexWhole() {
    const size = statFile(indexFile)?.size ?? 0
    const isWhole = size >= indexSize
    indexSize = size
    return isWhole
  }

  /** Whether the log has room for every frame that was committed. */
  function holdsFrames(): boolean {
    for (;;) {
      const before = readProgress(descriptor)
      const size = statFile(log)?.size ?? 0
      if (!before || before.frames === 0) return before !== undefined
      if (size >= headerBytes + before.frames * (frameHeaderBytes + pageSize)) return true
      const after = readProgress(descriptor)
      // SQLite may have started the log again meanwhile.
      if (after?.salts[0] === before.salts[0] && after.frames === before.frames) return false
    }
  }

  return {
    isRemoved,
    isWhole: () => !isRemoved() && isIndexWhole() && holdsFrames(),
    /** How many frames are not in the database yet. */
    waiting() {
      const progress = readProgress(descriptor)
      return progress ? progress.frames - progress.moved : 0
    },
    /** Whether other processes already write to another log, because this one was removed. */
    othersUseAnother() {
      const used = index.descriptor()
      return used !== descriptor && (readProgress(used)?.frames ?? 0) > 0
    },
  }
}
