import { renameSync, rmSync } from 'node:fs'
import Sqlite, { type Database } from 'better-sqlite3'
import { newId } from '../../ids.ts'
import { type RememberedFiles, rememberFiles } from './files.ts'
import { readDeployment } from './health.ts'
import type { LogIndex } from './log-index.ts'

/** A connection that is open as long as nothing is wrong with the database, and the files that it is open on. */
export interface Anchor {
  database: Database
  files: RememberedFiles
}

const busyTimeoutMs = 50

export const connect = (file: string) => new Sqlite(file, { fileMustExist: true, timeout: busyTimeoutMs })

/** A backup, for one, is no database with a log until it is opened as one. */
export function openAnchor(file: string, index: LogIndex): Anchor {
  const database = connect(file)
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('query_only = ON')
    readDeployment(database)
    return { database, files: rememberFiles(file, index) }
  } catch (error) {
    database.close()
    throw error
  }
}

/** The log that was used with a file is not to be applied to another one that stands in its place. */
export function setLogAside({ database, files }: Anchor) {
  const moved = files.ownLog().map((name) => {
    const aside = `${name}.of-replaced-${newId()}`
    renameSync(name, aside)
    return aside
  })
  database.pragma('wal_checkpoint(TRUNCATE)')
  // What was only in the log is now in the file that it belongs to, wherever that is.
  if (!files.hasUnmoved()) for (const name of moved) rmSync(name, { force: true })
}

/** Brings a database to where it can be closed; false where something would be lost with it still. */
export function settle({ database, files }: Anchor, kind: 'changed' | 'log'): boolean {
  // Two logs of one database cannot be joined: what others have committed since stands.
  if (kind === 'log' && files.isLogForsaken()) return true
  if (kind === 'log') database.pragma('wal_checkpoint(PASSIVE)')
  // To close it would write what is in the log over what is there now.
  return !files.hasUnmoved()
}
