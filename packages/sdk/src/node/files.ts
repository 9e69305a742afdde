import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
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
const temporaryName = /^[0-9a-f]{64}\.([0-9a-f-]{36}\.tmp|lock)$/
const abandonedMs = 600_000
// A write takes a millisecond or two: the process that holds an older lock was killed.
const abandonedLockMs = 250
const sweepEveryMs = 3_600_000

const isMissing = (error: unknown) => Object(error).code === 'ENOENT'

const ageOf = async (path: string, now: number) => now - (await stat(path)).mtimeMs

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
    const isAbandoned = temporaryName.test(name) && (await ageOf(path, now()).catch(() => 0)) >= abandonedMs
    if (isAbandoned) await rm(path, { force: true })
    if (!entryName.test(name)) continue
    const header = await readHeader(path).catch(() => undefined)
    if (!header) continue
    if (header.expiresAt > now()) kept.push(header)
    else await rm(path, { force: true })
  }
  const excess = kept.sort(evictionOrder).slice(0, Math.max(0, kept.length - maxEntries))
  for (const { path } of excess) await rm(path, { force: true })
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

/** One file per entry. A file is written under another name and renamed: a reader never sees half an entry. */
export function createFiles(options: FilesOptions): RawStore {
  const { directory, now } = options
  const sweepIfDue = createSweeper(options)
  const inOrder = createQueue()
  const filePath = (key: string) => join(directory, key)

  async function lock(path: string): Promise<void> {
    try {
      await writeFile(path, '', { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if (isMissing(error)) await mkdir(directory, { recursive: true, mode: 0o700 })
      else if (Object(error).code !== 'EEXIST') throw error
      // Of a time to come, too: the clock may have been set back since.
      else if (Math.abs(await ageOf(path, Date.now()).catch(() => 0)) > abandonedLockMs)
        await rm(path, { force: true })
      else await pause(5)
      await lock(path)
    }
  }

  /** One process at a time changes an entry: none overwrites what it has not read. */
  const exclusively = <T>(key: string, change: () => Promise<T>): Promise<T> =>
    inOrder(async () => {
      const path = filePath(`${key}.lock`)
      await lock(path)
      try {
        return await change()
      } finally {
        await rm(path, { force: true })
      }
    })

  async function write(key: string, text: string, keepMs: number, outcome: string) {
    const temporary = filePath(`${key}.${crypto.randomUUID()}.tmp`)
    try {
      await writeFile(temporary, `${Math.ceil(now() + keepMs)} ${outcome}\n${text}`, {
        mode: 0o600,
        flag: 'wx',
      })
      await rename(temporary, filePath(key))
    } catch (error) {
      // A full disk must not fill with halves.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
    sweepIfDue()
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

  return {
    get: (key) => inOrder(() => read(key)),
    set: (key, value, keepMs, outcome) => exclusively(key, () => write(key, value, keepMs, outcome)),
    replace: (key, previous, value, keepMs, outcome) =>
      exclusively(key, async () => {
        const isSame = (await read(key)) === previous
        if (isSame) await write(key, value, keepMs, outcome)
        return isSame
      }),
    delete: (key) => exclusively(key, () => rm(filePath(key), { force: true })),
  }
}
