import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RawStore } from '../gate/seal.ts'

export interface FilesOptions {
  readonly directory: string
  readonly maxEntries: number
  readonly now: () => number
}

/** What the first line of a file says: the time it expires, and the outcome that the entry holds. */
interface Header {
  readonly path: string
  readonly expiresAt: number
  readonly outcome: string
}

const entryName = /^[0-9a-f]{64}$/
const lockName = /^[0-9a-f]{64}\.([0-9a-f-]{36}|lock)$/
const abandonedMs = 600_000
// A write takes a millisecond or two: the process that holds an older lock was killed.
const abandonedLockMs = 250
// Some file systems refuse for good to rename a directory.
const lockWaitMs = 2_000
const sweepEveryMs = 3_600_000

const isMissing = (error: unknown) => Object(error).code === 'ENOENT'

const remove = (path: string) => rm(path, { force: true, recursive: true })

/** By the clock that dates files, not that of the gate. */
const ageOf = async (path: string) => Date.now() - (await stat(path)).mtimeMs

/** Entries of the same outcome go in the order in which they expire; invalid ones go first: guessed codes must evict no valid one. */
const evictionOrder = (one: Header, other: Header) =>
  Number(one.outcome !== 'invalid') - Number(other.outcome !== 'invalid') || one.expiresAt - other.expiresAt

async function readHeader(path: string): Promise<Header> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0)
    const [expiresAt, outcome = ''] = buffer.toString('latin1', 0, bytesRead).split(/[ \n]/)
    return { path, expiresAt: Number(expiresAt), outcome }
  } finally {
    await file.close()
  }
}

/** Removes expired and unreadable files, what a killed process left, and what is over the limit. */
async function sweep({ directory, maxEntries, now }: FilesOptions): Promise<void> {
  const kept: Header[] = []
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    // Another process may have removed it.
    const isAbandoned = lockName.test(name) && (await ageOf(path).catch(() => 0)) >= abandonedMs
    if (isAbandoned) await remove(path)
    if (!entryName.test(name)) continue
    const header = await readHeader(path).catch(() => undefined)
    if (!header) continue
    if (header.expiresAt > now()) kept.push(header)
    else await remove(path)
  }
  const excess = kept.sort(evictionOrder).slice(0, Math.max(0, kept.length - maxEntries))
  for (const { path } of excess) await remove(path)
}

/** Sweeps at the first write, then once an hour and after a tenth of the limit was written. One sweep at a time. */
function createSweeper(options: FilesOptions) {
  let running = false
  let writes = 0
  let sweptAt: number | undefined
  const isDue = () =>
    sweptAt === undefined || writes > options.maxEntries / 10 || options.now() - sweptAt >= sweepEveryMs

  async function sweepWhileDue() {
    running = true
    while (isDue()) {
      writes = 0
      sweptAt = options.now()
      // The next write reports what is wrong with the directory.
      await sweep(options).catch(() => {})
    }
    running = false
  }
  return () => {
    writes += 1
    if (!running && isDue()) void sweepWhileDue()
  }
}

/** Runs one operation after the other: a slow write must not replace a later one, and a blocked disk not block all threads of Node.js. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(operation: () => Promise<T>): Promise<T> => {
    const done = last.then(operation)
    last = done.catch(() => {})
    return done
  }
}

/**
 * One file per entry, which one process at a time changes: the one that made its directory with the new text the lock. Who removes the
 * lock of a killed process removes the text as well, so that one which only stalled has nothing to replace the entry by.
 */
export function createFiles(options: FilesOptions): RawStore {
  const { directory, now } = options
  const sweepIfDue = createSweeper(options)
  const inOrder = createQueue()
  // Not behind a write, which may wait for a lock.
  const readInOrder = createQueue()
  const filePath = (key: string) => join(directory, key)

  /** Renames a directory to the lock, in whose place there may be none, or an empty one. */
  async function takeLock(own: string, lock: string, end = performance.now() + lockWaitMs): Promise<void> {
    const time = new Date()
    await utimes(own, time, time)
    try {
      await rename(own, lock)
    } catch (error) {
      if (!/^(ENOTEMPTY|EEXIST|EPERM)$/.test(Object(error).code) || performance.now() > end) throw error
      // One with a time to come counts too: the clock may have been set back since.
      // Another process may take it while it is removed.
      if (Math.abs(await ageOf(lock).catch(() => 0)) > abandonedLockMs) await remove(lock).catch(() => {})
      else await pause(5)
      await takeLock(own, lock, end)
    }
  }

  /** Changes an entry if `isRight` says so, without another change meanwhile. */
  async function change(
    key: string,
    text: string,
    isRight: () => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const id = crypto.randomUUID()
    const own = filePath(`${key}.${id}`)
    const lock = filePath(`${key}.lock`)
    let isLocked = false
    try {
      await mkdir(own, { recursive: true, mode: 0o700 })
      await writeFile(join(own, id), text, { mode: 0o600 })
      await takeLock(own, lock)
      isLocked = true
      if (!(await isRight())) return false
      await rename(join(lock, id), filePath(key))
    } catch (error) {
      // Another process has removed the lock.
      if (isLocked && isMissing(error)) return await change(key, text, isRight)
      // A full disk must not fill with halves.
      await remove(own).catch(() => {})
      throw error
    } finally {
      await remove(join(lock, id))
      await rmdir(lock).catch(() => {})
    }
    sweepIfDue()
    return true
  }

  async function read(key: string) {
    try {
      const text = await readFile(filePath(key), 'utf8')
      const end = text.indexOf('\n')
      return Number.parseInt(text, 10) > now() ? text.slice(end + 1) : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const toText = (value: string, keepMs: number, outcome: string) =>
    `${Math.ceil(now() + keepMs)} ${outcome}\n${value}`

  return {
    get: (key) => readInOrder(() => read(key)),
    set: (key, value, keepMs, outcome) =>
      inOrder(() => change(key, toText(value, keepMs, outcome), () => true)),
    replace: (key, previous, value, keepMs, outcome) =>
      inOrder(() => change(key, toText(value, keepMs, outcome), async () => (await read(key)) === previous)),
    delete: (key) => inOrder(() => remove(filePath(key))),
  }
}
