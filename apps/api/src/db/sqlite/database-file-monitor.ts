import { renameSync, rmSync } from 'node:fs'
import type { Logger } from 'pino'
import { newId } from '../../ids.ts'
import { codeOf, DatabaseError } from '../errors.ts'
import { type Expected, type Health, unknownHealth } from '../health.ts'
import { openSqlite, type SqliteConnection } from './connection.ts'
import { readDeployment } from './deployment.ts'
import { fromSqlite } from './errors.ts'
import { type FileLoss, type RememberedFiles, rememberFiles, type Snapshot, snapshotOf } from './files.ts'
import { checkHealth, isWhole } from './health.ts'
import type { LogIndex } from './log-index.ts'

interface MonitorOptions extends Expected {
  file: string
  index: LogIndex
  logger: Logger
  /** Whether the content of the file is consistent; reads all of it without blocking the process. */
  isIntact: () => Promise<boolean>
}

/** A connection that stays open while the files are those that it was opened on. */
interface OpenFile {
  connection: SqliteConnection
  files: RememberedFiles
}

const busyTimeoutMs = 50
/** How long a look at the files counts. */
const lookLastsMs = 10
/** How often to look when no request does, and whether the database is back. */
const tickMs = 250
/** After so many changes by other programs, the file system is taken to report times late. */
const changesBelieved = 3

const messages: Readonly<Record<FileLoss, string>> = {
  missing: 'the database file is gone: requests fail until it is back',
  replaced: 'another file has taken the place of the database: requests fail until it is known to be ours',
  changed:
    'another program than SQLite wrote to the database file: requests fail until it is a whole database again',
  log: 'the log of the database is gone: it is saved from memory and started again',
}

const states: Readonly<Record<FileLoss, Health['database']>> = {
  missing: 'missing',
  replaced: 'replaced',
  changed: 'damaged',
  log: 'damaged',
}

/** The database must not be read, or a write may be lost. The monitor has logged why. */
export const databaseFileLost = () => new DatabaseError('file_lost', 'DATABASE_LOST')

const isSame = (one: Snapshot | undefined, other: Snapshot | undefined) =>
  one?.id === other?.id && one?.size === other?.size

function openFile(file: string, index: LogIndex): OpenFile {
  const connection = openSqlite(file, { timeoutMs: busyTimeoutMs })
  try {
    // A restored backup has no log until it is opened with one.
    connection.pragma('journal_mode = WAL')
    connection.pragma('query_only = ON')
    readDeployment(connection)
    return { connection, files: rememberFiles(file, index) }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Renames the log of a replaced database: SQLite would apply it to the file that took its place. */
function renameLog({ connection, files }: OpenFile) {
  const moved = files.ownLog().map((name) => {
    const renamed = `${name}.of-replaced-${newId()}`
    renameSync(name, renamed)
    return renamed
  })
  connection.pragma('wal_checkpoint(TRUNCATE)')
  // The content of the log is now in the file that it belongs to, wherever that is.
  if (!files.hasUnmoved()) for (const name of moved) rmSync(name, { force: true })
}

/** Moves what can be saved of the log into the database. Gives false where closing the connection would still lose or overwrite data. */
function saveLog({ connection, files }: OpenFile, loss: 'changed' | 'log'): boolean {
  if (loss === 'log') {
    // Two logs of one database cannot be joined: what other processes have committed to the new one stands.
    if (files.othersUseAnotherLog()) return true
    connection.pragma('wal_checkpoint(PASSIVE)')
  }
  return !files.hasUnmoved()
}

/**
 * Notices when the database file is no longer the one that was opened: SQLite itself goes on answering from a deleted file, and from
 * cached pages of an overwritten one. From then on every request fails. When a whole database of the same deployment is there and no
 * longer changes, every connection to the old one is closed and the new one is opened.
 */
export function monitorDatabaseFile({ file, index, logger, isIntact, ...expected }: MonitorOptions) {
  const releases = new Set<() => void | Promise<void>>()
  let open: OpenFile | undefined = openFile(file, index)
  const identity = readDeployment(open.connection)?.identity
  let loss: FileLoss | undefined
  let lookedAt = performance.now()
  /** How often another program wrote to the file, and whether it did so now. */
  let changes = 0
  let wasOverwritten = false
  let recovering = false
  let closed = false
  let snapshot: Snapshot | undefined
  let lastReason = ''

  function look(find: (files: RememberedFiles) => FileLoss | undefined): boolean {
    if (loss || !open) return false
    try {
      loss = find(open.files)
    } catch {
      // The folder may not be searched: that says nothing about the open files.
    }
    if (!loss) return true
    snapshot = undefined
    logger.error({ loss }, messages[loss])
    return false
  }

  const lookAtAll = () => look((files) => files.loss())

  function logOnce(reason: string) {
    if (lastReason !== reason) logger.warn({ reason }, 'the database is not back yet')
    lastReason = reason
  }

  /** Closes every connection to the database. */
  async function release() {
    for (const close of releases) await close()
    open?.connection.close()
    open = undefined
  }

  async function isOurs(): Promise<boolean> {
    const connection = openSqlite(file, { timeoutMs: busyTimeoutMs })
    try {
      if (readDeployment(connection)?.identity !== identity) return false
      const parts = Object.values(await checkHealth(connection, expected))
      return parts.every((part) => part === 'ok') && isWhole(connection, file, index)
    } finally {
      connection.close()
    }
  }

  /** Opens the file that is there now, if it is a whole database of this deployment. */
  async function openReturned(kind: FileLoss | undefined): Promise<OpenFile | undefined> {
    if (!(await isOurs())) return void logOnce('not the whole database of this deployment')
    // Where only the log was gone, no other program has written to the database.
    if (kind !== 'log' && !(await isIntact())) return void logOnce('damaged')
    return isSame(snapshot, snapshotOf(file)) ? openFile(file, index) : undefined
  }

  function resume() {
    loss = undefined
    wasOverwritten = false
    lastReason = ''
    logger.warn('the database is back: answering again')
  }

  function adopt(opened: OpenFile) {
    if (wasOverwritten) changes++
    if (changes >= changesBelieved) opened.files.distrustTimes()
    if (wasOverwritten && changes === changesBelieved)
      logger.warn(
        'the times of the database file change too often to mean anything: they are ignored from now on',
      )
    open = opened
    resume()
  }

  async function recover() {
    const before = snapshot
    snapshot = snapshotOf(file)
    if (!snapshot) return
    const kind = open?.files.loss()
    if (open && !kind) return resume()
    // It may still be being written.
    if (!isSame(snapshot, before) || snapshot.size === 0) return
    // A connection to a removed file may be all that is left of it: it stays open until a whole database is there.
    if (open && kind === 'replaced') renameLog(open)
    else if (open && (kind === 'changed' || kind === 'log')) {
      if (!saveLog(open, kind)) return logOnce('the log holds changes that the database lacks')
      wasOverwritten = kind === 'changed'
      await release()
    }
    const opened = await openReturned(kind)
    if (!opened) return
    await release()
    if (closed) opened.connection.close()
    else adopt(opened)
  }

  async function tick() {
    if (recovering || lookAtAll()) return
    recovering = true
    try {
      await recover()
    } catch (error) {
      logOnce(codeOf(fromSqlite(error)) ?? 'unknown')
    } finally {
      recovering = false
    }
  }

  const timer = setInterval(() => void tick(), tickMs).unref()

  return {
    /** Whether the database may be read. */
    isUsable(): boolean {
      const time = performance.now()
      if (loss || time - lookedAt < lookLastsMs) return !loss
      lookedAt = time
      return lookAtAll()
    },
    /** Whether a row that was just not found was looked for in the database of the deployment. */
    isStillThere: () => look((files) => files.lossOfMain()),
    /** Throws where nothing may be read or written, and where a write that was just made may be lost. */
    require() {
      if (!lookAtAll()) throw databaseFileLost()
    },
    /** `close` is called when every connection has to be closed; the next use opens it again. */
    onRelease: (close: () => void | Promise<void>) => void releases.add(close),
    async health(): Promise<Health> {
      if (!lookAtAll() || !open) return unknownHealth(states[loss ?? 'missing'])
      return checkHealth(open.connection, expected)
    },
    close() {
      closed = true
      clearInterval(timer)
      open?.connection.close()
    },
  }
}

export type DatabaseFileMonitor = ReturnType<typeof monitorDatabaseFile>
