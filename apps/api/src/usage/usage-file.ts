import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import type { Statement } from 'better-sqlite3'
import { usageFilePath } from '../db/location.ts'
import { createSql, transactOn } from '../db/sql.ts'
import { openConnection, runSql, type SqliteConnection } from '../db/sqlite/connection.ts'
import { sqliteErrors } from '../db/sqlite/errors.ts'
import { getOrAdd } from '../get-or-add.ts'
import { runUsageCall, type UsageCall } from './usage-store.ts'

const tables = `
CREATE TABLE IF NOT EXISTS KeyUse (
  keyId TEXT NOT NULL PRIMARY KEY, lastUsedAt INTEGER NOT NULL, operation TEXT NOT NULL, client TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS KeyAddress (
  keyId TEXT NOT NULL, slot INTEGER NOT NULL, hour INTEGER NOT NULL, PRIMARY KEY (keyId, slot)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS Counts (
  workspaceId INTEGER NOT NULL, hour INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (workspaceId, hour, kind, name, code)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS Counts_hour ON Counts (hour);
CREATE TABLE IF NOT EXISTS CountsWritten (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS PurchaseUse (
  purchase TEXT NOT NULL PRIMARY KEY, itemId INTEGER NOT NULL,
  firstAt INTEGER NOT NULL, lastAt INTEGER NOT NULL, count INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS FailedCode (
  workspaceId INTEGER NOT NULL, reason TEXT NOT NULL, hash TEXT NOT NULL, sealed TEXT NOT NULL, keyId TEXT NOT NULL,
  lastAt INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (workspaceId, reason, hash)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS KnownCode (ref TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS KnownCode_at ON KnownCode (at);
CREATE TABLE IF NOT EXISTS ItemRemoval (itemId INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL);
`

/** A write that finds the file locked for longer is retried later. */
const busyTimeoutMs = 2000

const indexHeader = Buffer.alloc(96)

/**
 * SQLite crashes the process when it reads an index of the log that was truncated. It rebuilds one without a header from the log.
 * To close the descriptor drops the locks of SQLite on the index.
 */
function keepIndex(file: string) {
  const descriptor = openSync(`${file}-shm`, 'r+')
  const sizeNow = () => fstatSync(descriptor).size
  let size = sizeNow()
  return {
    run<Result>(act: () => Result): Result {
      if (sizeNow() < size) {
        writeSync(descriptor, indexHeader, 0, indexHeader.length, 0)
        ftruncateSync(descriptor, size)
      }
      try {
        return act()
      } finally {
        size = Math.max(size, sizeNow())
      }
    },
    close: () => closeSync(descriptor),
  }
}

export function openUsageFile(databaseFile: string) {
  const file = usageFilePath(databaseFile)
  const open = () => {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    const connection = openConnection(file, { timeoutMs: busyTimeoutMs })
    try {
      connection.pragma('journal_mode = WAL')
      connection.pragma('wal_autocheckpoint = 1000')
      // A power loss costs the last uses of a minute at most.
      connection.pragma('synchronous = NORMAL')
      connection.exec(tables)
      return { connection, index: keepIndex(file) }
    } catch (error) {
      connection.close()
      throw error
    }
  }
  const { connection, index } = sqliteErrors(open)
  const planned = new Map<string, Statement>()
  const prepare = (sql: string) => getOrAdd(planned, sql, () => connection.prepare(sql))
  // The caller knows the parameters and columns of its statement.
  const statements = { prepare: prepare as SqliteConnection['prepare'] }
  const sql = createSql(async (...statement) =>
    sqliteErrors(() => index.run(() => runSql(statements, ...statement))),
  )
  /** The log has what was removed until it is empty. Each attempt waits for others that read or write. */
  function emptyLog() {
    for (let attempt = 0; attempt < 5; attempt++) {
      const rows = index.run(() => runSql<{ busy: number }>(connection, 'PRAGMA wal_checkpoint(TRUNCATE)'))
      if (rows[0]?.busy === 0) return
    }
  }
  return {
    /** One after another: they share the connection. */
    async run(call: UsageCall): Promise<unknown> {
      const result = await transactOn(sql, () => runUsageCall(sql, call), 'BEGIN')
      if (call.method === 'forgetPurchase') emptyLog()
      return result
    },
    close() {
      index.run(() => connection.close())
      index.close()
    },
  }
}

export type UsageFile = ReturnType<typeof openUsageFile>

function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** The usage file of a serving process: opened on first use, and again after it was deleted or replaced. */
export function monitorUsageFile(databaseFile: string) {
  const path = usageFilePath(databaseFile)
  let open: { file: UsageFile; identity: string | undefined } | undefined

  function close() {
    open?.file.close()
    open = undefined
  }

  return {
    use(): UsageFile {
      // SQLite would keep writing to the deleted file.
      if (open && open.identity !== fileIdentity(path)) close()
      if (!open) {
        const file = openUsageFile(databaseFile)
        open = { file, identity: fileIdentity(path) }
      }
      return open.file
    },
    close,
  }
}
