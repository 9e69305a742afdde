import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../../user-error.ts'
import { DatabaseError, isBusy, readErrorCode } from '../errors.ts'
import { withSqlite } from './connection.ts'
import type { Writer } from './writer.ts'

/** How long others may go on reading. */
const waitMs = 5000
const retryMs = 20

/** Moves the log into the file and empties it, without blocking the process. False where another connection reads or writes too long. */
async function emptyLog({ writer }: EraseOptions): Promise<boolean> {
  const deadline = performance.now() + waitMs
  for (;;) {
    if (await writer.checkpoint('TRUNCATE', { serving: false })) return true
    if (performance.now() >= deadline) return false
    await delay(retryMs)
  }
}

const stillRead = (file: string) =>
  `another program reads ${file}, such as a backup, an export or a shell, and would keep what is removed`

/** How long the rewriting of the file waits for another writer. */
const rewriteWithinMs = 60_000

/** SQLite moves rows between pages, and leaves copies of them there that nothing zeroes. */
function rewriteFile(file: string) {
  try {
    withSqlite(file, (connection) => connection.exec('VACUUM'), { timeoutMs: rewriteWithinMs })
  } catch (error) {
    throw rewriteFailed(file, error)
  }
}

/** To remove the same once more would find nothing, and rewrite nothing. */
export function rewriteFailed(file: string, error: unknown) {
  const isFull = error instanceof DatabaseError && error.kind === 'full'
  const helps = isFull
    ? 'make room for two copies of it, beside it and in the folder of temporary files'
    : 'stop everything that uses it'
  return new UserError(
    `it is removed from the database, but may be left in ${file} and ${file}-wal, because the file could not be rewritten (${readErrorCode(error)}): ${helps}; the next command that removes something rewrites it`,
  )
}

interface EraseOptions {
  file: string
  writer: Pick<Writer, 'checkpoint' | 'transact'>
  /** Blocks the process, and other writers, for as long as a copy of the file takes. */
  rewrite: boolean
}

/**
 * Runs an action after which the files hold nothing of what it removes: every connection zeroes what it frees, and then the log is emptied,
 * also after an error, which may come when something was removed. Removes nothing where others would keep the log from being emptied.
 */
export async function erasing<T>(act: () => Promise<T>, options: EraseOptions): Promise<T> {
  const { file, writer, rewrite } = options
  // A change of nothing: a reader of an empty log would not be noticed.
  await writer.transact(({ run }) => run('UPDATE "Deployment" SET "id" = "id" WHERE "id" = 1'))
  if (!(await emptyLog(options)))
    throw new UserError(`${stillRead(file)}: nothing was removed; try again when that has ended`)
  async function actAndRewrite() {
    const result = await act()
    const removed = result !== 0 && result !== false
    if (rewrite && removed) rewriteFile(file)
    return { result, removed }
  }
  const [acted] = await Promise.allSettled([actAndRewrite()])
  const [emptied] = await Promise.allSettled([emptyLog(options)])
  if (acted.status === 'rejected') throw acted.reason
  const tookLong = emptied.status === 'rejected'
  if (tookLong && !isBusy(emptied.reason)) throw emptied.reason
  if (acted.value.removed && (tookLong || !emptied.value)) {
    const [why, first] = tookLong
      ? ['a transaction of this process takes too long', '']
      : [stillRead(file), 'end that program, then ']
    throw new UserError(
      `${why}: it is removed from the database but not from ${file}-wal; ${first}stop everything that uses the database and start it again`,
    )
  }
  return acted.value.result
}
