import type { SqliteConnection } from '../db/sqlite/connection.ts'
import { runStepsIn } from '../db/sqlite/connection.ts'
import { type CountRow, hourMs } from './counts.ts'
import { addressHours, type KeyAddress } from './key-addresses.ts'
import {
  addFailedCodes,
  addressCountsOf,
  type FailedCode,
  type FailedCodesQuery,
  type ForgottenPurchase,
  forgetPurchase,
  type KeyUse,
  type KeyUseRow,
  lastUsesOf,
  noteRemoval,
  type PurchaseUse,
  type PurchaseUseTotal,
  purchaseUseOf,
  readFailedCodes,
  readStatistics,
  removalNumber,
  type StatisticsQuery,
} from './usage-store.ts'

const tables = `
CREATE TABLE IF NOT EXISTS KeyUse (keyId TEXT NOT NULL PRIMARY KEY, lastUsedAt INTEGER NOT NULL, operation TEXT, client TEXT);
CREATE TABLE IF NOT EXISTS KeyAddress (
  keyId TEXT NOT NULL, slot INTEGER NOT NULL, hour INTEGER NOT NULL, PRIMARY KEY (keyId, slot)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS Counts (
  workspaceId INTEGER NOT NULL, hour INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (workspaceId, hour, kind, name, code)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS Counts_hour ON Counts (hour);
CREATE TABLE IF NOT EXISTS CountBatch (id INTEGER PRIMARY KEY, rows TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS CountsWritten (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS PurchaseUse (
  purchase TEXT NOT NULL PRIMARY KEY, itemId INTEGER NOT NULL,
  firstAt INTEGER NOT NULL, lastAt INTEGER NOT NULL, count INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS FailedCode (
  workspaceId INTEGER NOT NULL, reason TEXT NOT NULL, hash TEXT NOT NULL, sealed TEXT NOT NULL, keyId TEXT NOT NULL,
  lastAt INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (workspaceId, reason, hash)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ItemRemoval (itemId INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL);
`

/**
 * The last use of each key, and the validation counts: each flush appends one row, which costs the same however many items were sold. Once
 * a minute those rows are added to the counts of their hours. The validations of each purchase are added to its own row. Creates the
 * tables that are missing.
 */
export function createUsageTables(database: SqliteConnection) {
  database.exec(tables)
  const upsertKeyUse = database.prepare(
    `INSERT INTO KeyUse (keyId, lastUsedAt, operation, client) VALUES (?, ?, ?, ?)
     ON CONFLICT (keyId) DO UPDATE
     SET lastUsedAt = excluded.lastUsedAt, operation = excluded.operation, client = excluded.client
     WHERE excluded.lastUsedAt >= lastUsedAt`,
  )
  const keyUses = 'SELECT keyId, lastUsedAt, operation, client FROM KeyUse'
  const usesOfAll = database.prepare<[], KeyUseRow>(keyUses)
  const usesOfSome = database.prepare<[string], KeyUseRow>(
    `${keyUses} WHERE keyId IN (SELECT value FROM json_each(?))`,
  )
  const upsertAddress = database.prepare<[KeyAddress]>(
    `INSERT INTO KeyAddress (keyId, slot, hour) VALUES (@keyId, @slot, @hour)
     ON CONFLICT (keyId, slot) DO UPDATE SET hour = excluded.hour WHERE excluded.hour > hour`,
  )
  const dropAddresses = database.prepare('DELETE FROM KeyAddress WHERE keyId = ? AND hour <= ?')
  const countAddresses = database.prepare<[string, number], { keyId: string; count: number }>(
    `SELECT keyId, count(*) AS count FROM KeyAddress
     WHERE keyId IN (SELECT value FROM json_each(?)) AND hour >= ? GROUP BY keyId`,
  )
  const append = database.prepare('INSERT INTO CountBatch (rows) VALUES (?)')
  const written = database.prepare(
    'INSERT INTO CountsWritten (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)',
  )
  const oldestBatch = database.prepare<[], { id: number }>('SELECT id FROM CountBatch ORDER BY id LIMIT 1')
  const addBatch = database.prepare<[number]>(
    `INSERT INTO Counts (workspaceId, hour, kind, name, code, count)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
     FROM CountBatch, json_each(rows) WHERE CountBatch.id = ?
     ON CONFLICT (workspaceId, hour, kind, name, code) DO UPDATE SET count = count + excluded.count`,
  )
  const dropBatch = database.prepare<[number]>('DELETE FROM CountBatch WHERE id = ?')
  const prune = database.prepare(
    'DELETE FROM Counts WHERE hour < ? AND hour = (SELECT min(hour) FROM Counts)',
  )
  const addUse = database.prepare<[PurchaseUse & { removal: number }]>(
    `INSERT INTO PurchaseUse (purchase, itemId, firstAt, lastAt, count)
     SELECT :purchase, :itemId, :firstAt, :lastAt, :count
     WHERE NOT EXISTS (SELECT 1 FROM ItemRemoval WHERE itemId IN (:itemId, :removal) AND at >= :lastAt)
     ON CONFLICT (purchase) DO UPDATE SET
       firstAt = min(firstAt, excluded.firstAt), lastAt = max(lastAt, excluded.lastAt), count = count + excluded.count`,
  )
  const purchaseUse = database.prepare<[string], PurchaseUseTotal>(
    'SELECT firstAt, lastAt, count FROM PurchaseUse WHERE purchase = ?',
  )
  const deleteUses = database.prepare('DELETE FROM PurchaseUse WHERE itemId = ?')

  return {
    recordKeyUse: database.transaction(
      (uses: ReadonlyMap<string, KeyUse>, addresses: readonly KeyAddress[] = []) => {
        for (const [keyId, { at, operation, client }] of uses) {
          upsertKeyUse.run(keyId, at, operation, client)
          dropAddresses.run(keyId, Math.floor(at / hourMs) - addressHours)
        }
        for (const address of addresses) upsertAddress.run(address)
      },
    ),

    addressCounts: (keyIds: readonly string[], hour: number) =>
      addressCountsOf(countAddresses.all(JSON.stringify(keyIds), hour)),

    lastUses: (keyIds?: readonly string[]) =>
      lastUsesOf(keyIds ? usesOfSome.all(JSON.stringify(keyIds)) : usesOfAll.all()),

    appendCounts: database.transaction((rows: readonly CountRow[], at: number) => {
      append.run(JSON.stringify(rows))
      written.run(at)
    }),

    rollUp: database.transaction(() => {
      for (let batch = oldestBatch.get(); batch; batch = oldestBatch.get()) {
        addBatch.run(batch.id)
        dropBatch.run(batch.id)
      }
    }),

    prune: (oldestHour: number) => void prune.run(oldestHour),

    statistics: (query: StatisticsQuery) => runStepsIn(database, readStatistics(query)),

    recordPurchaseUse: database.transaction((uses: readonly PurchaseUse[]) => {
      for (const use of uses) addUse.run({ ...use, removal: removalNumber(use.purchase) })
    }),

    purchaseUse: (purchase: string) => purchaseUseOf(purchaseUse.get(purchase)),

    recordFailedCodes: database.transaction((failed: readonly FailedCode[], now: number) =>
      runStepsIn(database, addFailedCodes(failed, now)),
    ),

    failedCodes: (query: FailedCodesQuery) => runStepsIn(database, readFailedCodes(query)),

    forgetPurchase: database.transaction((forgotten: ForgottenPurchase) =>
      runStepsIn(database, forgetPurchase(forgotten)),
    ),

    forgetItem: database.transaction((itemId: number, at: number) => {
      runStepsIn(database, noteRemoval(itemId, at))
      deleteUses.run(itemId)
    }),
  }
}
