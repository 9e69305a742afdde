import { verify } from '@node-rs/argon2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '../../../test/support/folders.ts'
import { createTestDatabase, secret, type TestDatabase } from '../../../test/support/import-database.ts'
import { DatabaseError } from '../../db/errors.ts'
import { type OpenDatabase, openDatabase } from '../../open-database.ts'
import { purchaseRef } from '../../usage/purchase-use.ts'
import { findDemo, holdsAccounts, loadDemo } from './demo.ts'

let file: TestDatabase
let opened: OpenDatabase

beforeEach(async () => {
  file = await createTestDatabase()
  opened = await openDatabase({
    databaseUrl: `file:${file.file}`,
    secret,
    cwd: '/',
    migrations,
    busyTimeoutMs: 5000,
    clock: () => new Date(),
    migrate: 'when new',
  })
})

afterEach(async () => {
  await opened.close()
  file.remove()
})

const load = () => loadDemo(opened, { now: () => new Date() })

test('loads all kinds, states, licenses and three currencies', async () => {
  await load()
  const records = (await file.exported())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const values = (type: string, field: string) =>
    [...new Set(records.filter((record) => record.type === type).map((record) => record[field]))].sort()
  expect(values('item', 'kind')).toEqual(['audio', 'image', 'video'])
  expect(values('item', 'currency')).toEqual(['EUR', 'JPY', 'USD'])
  expect(values('purchase', 'state')).toEqual(['active', 'refunded', 'revoked'])
  expect(values('purchase', 'license_type')).toEqual(['Extended', 'Regular'])
  expect(values('purchase', 'purchase_code')).toHaveLength(160)
  const dates = values('purchase', 'date').map((date) => Date.now() - Date.parse(date))
  const day = 86_400_000
  // The sales of the last 90 days: the last one was made just now.
  expect(Math.min(...dates)).toBeLessThan(60_000)
  expect(Math.max(...dates)).toBeGreaterThan(89 * day)
  expect(Math.max(...dates)).toBeLessThan(91 * day)
})

test.each([
  [0, /; nothing was changed \(SQLITE_FULL\)$/],
  [2, /^the disk is full, and a part of the demo is stored: load it into another database$/],
])('a disk that is full after %i imports says what is stored', async (imports, message) => {
  let left = imports
  const importRecords: OpenDatabase['importRecords'] = async (request) => {
    if (left-- === 0) throw new DatabaseError('full', 'SQLITE_FULL')
    return opened.importRecords(request)
  }
  const full = { ...opened, importRecords }
  await expect(loadDemo(full, { now: () => new Date() })).rejects.toThrow(message)
})

test('the overview shows its validations of the last 90 days, once', async () => {
  await load()
  await load()
  const [key] = await opened.database.read<{ id: string; workspaceId: number }>(
    `SELECT id, "workspaceId" FROM "ApiKey" WHERE name = 'demo'`,
  )
  const hour = Math.floor(Date.now() / 3_600_000)
  const { rows } = await opened.usage.statistics({
    workspaceId: key!.workspaceId,
    from: hour - 2160,
    to: hour + 1,
  })
  const total = (kind: string, isCounted: (code: string) => boolean = () => true) =>
    rows.filter((row) => row.kind === kind && isCounted(row.code)).reduce((sum, { count }) => sum + count, 0)
  expect(total('key')).toBeGreaterThan(10_000)
  expect(total('key')).toBeLessThan(40_000)
  expect(total('key', (code) => code === 'purchase_not_found')).toBeGreaterThan(500)
  expect(total('item')).toBeLessThanOrEqual(total('key', (code) => code === ''))
  expect((await opened.usage.lastUses([key!.id])).get(key!.id)?.by?.operation).toBe('validatePurchase')
})

test('purchases have a history that is in order', async () => {
  await load()
  const [key] = await opened.database.read<{ workspaceId: number }>('SELECT "workspaceId" FROM "ApiKey"')
  const rows = await opened.database.read<{
    code: string
    date: number
    state: string
    at: number
    action: string
    changedAt: number | null
  }>(
    `SELECT p.code, p.date, p.state, e.at, e.action, r.at AS "changedAt" FROM "Purchase" p
      JOIN "AuditEntry" e ON e.number = p."createdEntry"
      LEFT JOIN "PurchaseChange" c ON c."workspaceId" = p."workspaceId" AND c.code = p.code AND c.state = p.state
        AND c.entry <> p."createdEntry"
      LEFT JOIN "AuditEntry" r ON r.number = c.entry`,
  )
  expect(rows).toHaveLength(160)
  expect(rows.filter(({ action }) => action === 'purchase.created')).toHaveLength(4)
  let validated = 0
  for (const { code, date, state, at, changedAt } of rows) {
    expect(at).toBeGreaterThanOrEqual(date)
    expect(changedAt !== null).toBe(state !== 'active')
    if (changedAt !== null) expect(changedAt).toBeGreaterThanOrEqual(at)
    const use = await opened.usage.purchaseUse(purchaseRef(key!.workspaceId, code))
    if (!use) continue
    validated++
    expect(use.firstAt).toBeGreaterThanOrEqual(at)
    expect(use.lastAt).toBeLessThanOrEqual(changedAt ?? Date.now())
    expect(use.lastAt).toBeGreaterThanOrEqual(use.firstAt)
  }
  expect(validated).toBeGreaterThan(100)
  expect(validated).toBeLessThan(160)
  const entries = await opened.database.read<{ at: number }>('SELECT at FROM "AuditEntry" ORDER BY number')
  expect(entries).toEqual(entries.toSorted((one, other) => (one.at < other.at ? -1 : 1)))
})

test('gives the key, a code that validates and the password', async () => {
  const { apiKey, purchaseCode, password } = await load()
  const [purchase, hash, keys] = file.withDatabase((db) => [
    db.prepare('SELECT state FROM Purchase WHERE code = ?').pluck().get(purchaseCode),
    db.prepare<[], string>('SELECT passwordHash FROM Account').pluck().get(),
    db.prepare(`SELECT keyHash FROM ApiKey WHERE name = 'demo'`).pluck().all(),
  ])
  expect(purchase).toBe('active')
  expect(keys).toEqual([file.vault.hash(apiKey)])
  expect(await verify(hash ?? '', password)).toBe(true)
})

test('one key is being rotated: both work and were used, and the old one has an end', async () => {
  await load()
  const keys = await opened.database.read<{
    id: string
    replacesId: string | null
    expiresAt: number | Date | null
  }>(`SELECT id, "replacesId", "expiresAt" FROM "ApiKey" WHERE name = 'WordPress plugin'`)
  const successor = keys.find(({ replacesId }) => replacesId !== null)
  const old = keys.find(({ id }) => id === successor?.replacesId)
  expect([keys.length, successor?.expiresAt]).toEqual([2, null])
  expect(new Date(old?.expiresAt ?? 0).getTime()).toBeGreaterThan(Date.now())
  const uses = await opened.usage.lastUses(keys.map(({ id }) => id))
  expect(keys.map(({ id }) => uses.get(id)?.by?.operation)).toEqual(['validatePurchase', 'validatePurchase'])
})

test('the second time gives the same and changes nothing; after a revocation it is refused', async () => {
  const first = await load()
  const before = file.bytes()
  expect(await load()).toEqual(first)
  expect(file.bytes().equals(before)).toBe(true)
  file.withDatabase((db) => db.exec(`UPDATE ApiKey SET revokedAt = 0`))
  await expect(load()).rejects.toThrow('load it into another database')
})

test('it is found again as long as its key and its code are good, and nothing is written', async () => {
  const find = () => findDemo(opened)
  expect([await find(), await holdsAccounts(opened)]).toEqual([undefined, false])
  const loaded = await load()
  const before = file.bytes()
  expect([await find(), await holdsAccounts(opened)]).toEqual([loaded, true])
  expect(file.bytes().equals(before)).toBe(true)
  file.withDatabase((db) => db.exec(`UPDATE Purchase SET state = 'revoked'`))
  expect(await find()).toBeUndefined()
  file.withDatabase((db) => db.exec(`UPDATE Purchase SET state = 'active'`))
  expect(await find()).toEqual(loaded)
  file.withDatabase((db) => db.exec(`UPDATE ApiKey SET revokedAt = 0`))
  expect(await find()).toBeUndefined()
})
