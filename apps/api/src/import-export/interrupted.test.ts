import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, ndjson, type TestDatabase } from '../../test/support/import-database.ts'
import { sample, samples } from '../../test/support/import-records.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
  await database.load(samples)
})

afterEach(() => database.remove())

const { item, purchase } = sample
const purchases = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...purchase,
    purchase_code: `CODE-${index * 7919}-OF-A-LONG-FILE`,
  }))

/** Runs `act` when the check is done and the write lock not yet taken. */
const beforeCopy = (act: () => void) => ({ beforeCopy: act })

test('what another connection commits after the check is checked again under the lock', async () => {
  const file = [
    { ...item, id: 102 },
    { ...purchase, item: 102, purchase_code: 'SOLD-IN-THE-MEANTIME' },
  ]
  const sell = () =>
    database.withDatabase((db) =>
      db.exec(`INSERT INTO Purchase (workspaceId, code, itemId, licenseType, price, currency,
        supportedUntil, downloaded, date, state) SELECT workspaceId, 'SOLD-IN-THE-MEANTIME', itemId, licenseType, price, currency,
        supportedUntil, downloaded, date, state FROM Purchase LIMIT 1`),
    )
  await expect(database.load(file, beforeCopy(sell))).rejects.toMatchObject({
    problems: [{ line: 2, field: 'item', message: expect.stringContaining('must not change') }],
  })
  expect(await database.exported()).not.toContain('"id":102')
})

test('a change that harms nothing is taken into account', async () => {
  const refund = () => database.withDatabase((db) => db.exec(`UPDATE Purchase SET state = 'refunded'`))
  const remove = () => database.withDatabase((db) => db.exec('DELETE FROM Purchase'))
  const changed = { ...purchase, downloaded: true, purchase_code: 's' }
  expect(await database.load([changed, { ...purchase, downloaded: true }], beforeCopy(refund))).toMatchObject(
    {
      counts: { purchase: { created: 1, updated: 1 } },
      warningCount: 1,
    },
  )
  expect(await database.exported()).toContain(
    '"downloaded":true,"date":"2024-04-27T12:00:00Z","state":"refunded"',
  )
  database.withDatabase((db) =>
    db.exec(`INSERT INTO PurchaseChange (workspaceId, code, entry, state, fields)
      SELECT workspaceId, code, 1, state, 'price' FROM Purchase`),
  )
  const file = [{ ...purchase, price: 1, license_type: 'Team' }]
  const again = await database.load(file, {
    ...beforeCopy(remove),
    shop: { profile: 'marketbob', file: 'dump.sql' },
  })
  expect(again.counts.purchase).toEqual({ created: 1, updated: 0, unchanged: 0 })
})

test('others write and read while the file is read and checked', async () => {
  async function* slow() {
    yield Buffer.from(ndjson(purchases(10)))
    database.withDatabase((db) => {
      db.pragma('busy_timeout = 0')
      db.exec(`UPDATE Account SET heading = 'changed'`)
      // Nothing holds an old snapshot: all of the log can be moved into the database.
      expect(db.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
    })
    yield Buffer.from(ndjson(purchases(20)))
  }
  const result = await database.load([], { source: slow() })
  expect(result.counts.purchase.created).toBe(20)
})

test('a database that stays locked is an error, and nothing is stored', async () => {
  const lock = new Database(database.file)
  const before = await database.exported()
  const loading = database.load(
    purchases(2),
    beforeCopy(() => lock.exec('BEGIN IMMEDIATE')),
  )
  await expect(loading).rejects.toMatchObject({ kind: 'busy' })
  lock.exec('ROLLBACK')
  lock.close()
  expect(await database.exported()).toBe(before)
})

test('a source that breaks off stores nothing', async () => {
  const before = statSync(database.file).mtimeMs
  async function* broken() {
    yield Buffer.from(ndjson(purchases(5)))
    throw new Error('the client went away')
  }
  await expect(database.load([], { source: broken() })).rejects.toThrow('the client went away')
  expect(statSync(database.file).mtimeMs).toBe(before)
})
