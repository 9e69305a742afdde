import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { usageFilePath } from '../db/location.ts'
import { openConnection } from '../db/sqlite/connection.ts'
import { sqliteErrors } from '../db/sqlite/errors.ts'
import { createUsageTables } from './sqlite-usage-tables.ts'

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
      const tables = createUsageTables(connection)
      return { connection, tables, index: keepIndex(file) }
    } catch (error) {
      connection.close()
      throw error
    }
  }
  const { connection, tables, index } = sqliteErrors(open)
  const guarded =
    <Arguments extends unknown[], Result>(act: (...given: Arguments) => Result) =>
    (...given: Arguments) =>
      sqliteErrors(() => index.run(() => act(...given)))
  return {
    recordKeyUse: guarded(tables.recordKeyUse),
    lastUses: guarded(tables.lastUses),
    addressCounts: guarded(tables.addressCounts),
    appendCounts: guarded(tables.appendCounts),
    rollUp: guarded(tables.rollUp),
    prune: guarded(tables.prune),
    statistics: guarded(tables.statistics),
    recordPurchaseUse: guarded(tables.recordPurchaseUse),
    purchaseUse: guarded(tables.purchaseUse),
    recordFailedCodes: guarded(tables.recordFailedCodes),
    failedCodes: guarded(tables.failedCodes),
    forgetItem: guarded(tables.forgetItem),
    forgetPurchase: guarded(tables.forgetPurchase),
    close() {
      index.run(() => connection.close())
      index.close()
    },
  }
}

export type UsageFile = ReturnType<typeof openUsageFile>

function identityOf(file: string): string | undefined {
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
      if (open && open.identity !== identityOf(path)) close()
      if (!open) {
        const file = openUsageFile(databaseFile)
        open = { file, identity: identityOf(path) }
      }
      return open.file
    },
    close,
  }
}
