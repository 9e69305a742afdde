import { statFile } from './checkpoint-record.ts'
import { type LogIndex, readProgress } from './log-index.ts'

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
