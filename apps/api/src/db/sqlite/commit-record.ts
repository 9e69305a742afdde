import { closeSync, readFileSync } from 'node:fs'
import type { Deployment } from '../database.ts'
import { selectDeployment } from '../deployment.ts'
import { openRecord, overwrite, statFile } from './checkpoint-record.ts'
import { runSql, type SqliteConnection, withSqlite } from './connection.ts'

/**
 * Beside the database, the number of the last entry of the audit log that was confirmed. What is sold, refunded or revoked has an entry: a
 * database whose log ends before this one has lost some of it, with its write-ahead log. Written after the commit is on the disk, so that
 * neither a killed process nor a power loss lets it say too much.
 */
export const commitFile = (databaseFile: string) => `${databaseFile}.commits`

const identityIn = (connection: SqliteConnection) =>
  runSql<Deployment>(connection, selectDeployment)[0]?.identity

const selectLast = (connection: SqliteConnection) =>
  connection
    .prepare<[], number>(`SELECT seq FROM main.sqlite_sequence WHERE name = 'AuditEntry'`)
    .pluck()
    .safeIntegers(false)

/** Records the commits of a connection. */
export function createCommitRecord(databaseFile: string, connection: SqliteConnection) {
  const last = selectLast(connection)
  // A commit that was killed may be in the log without being synced, until the first commit of this connection syncs it.
  let recorded = last.get()
  let identity: string | undefined
  let descriptor: number | undefined
  return {
    /** Called after each commit. */
    update() {
      try {
        const number = last.get()
        identity ??= identityIn(connection)
        if (number === recorded || identity === undefined) return
        descriptor ??= openRecord(commitFile(databaseFile), databaseFile)
        // The number twice: what a power loss leaves half written says nothing.
        overwrite(descriptor, `${identity} ${number} ${number}`)
        recorded = number
      } catch {
        // The commit stands: the record says less.
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/** What is missing where entries of the audit log were confirmed and are gone. A restored database has another identity. */
export function findLostCommits(file: string) {
  try {
    const [identity, number, again] = readFileSync(commitFile(file), 'utf8').trim().split(' ')
    const last = Number(number)
    // SQLite would try without end to remove the log of an empty file.
    if (number !== again || !Number.isInteger(last) || !statFile(file)?.size) return undefined
    const read = (connection: SqliteConnection) =>
      identityIn(connection) === identity ? (selectLast(connection).get() ?? 0) : last
    // Not to be the connection that moves the rest of the log into the file when it closes.
    const found = withSqlite(file, read, { readonly: true })
    if (found >= last) return undefined
    const entries = `${found + 1}-${last}`
    return {
      entries,
      finding: `${file} has lost changes that were confirmed (entries ${entries} of its audit log): its write-ahead log was removed or damaged`,
      advice: `put ${file}-wal back as it was, or restore a backup; or start without them: saleproof serve --accept-lost-writes`,
    }
  } catch {
    // There is no record, or what keeps the database from being read is explained where it is opened.
    return undefined
  }
}
