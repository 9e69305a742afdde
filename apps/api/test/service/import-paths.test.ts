import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFile } from '../../src/db/location.ts'
import { ImportError, type ImportRequest, type ImportResult } from '../../src/domain/imports.ts'
import { readFile } from '../../src/files.ts'
import { exportRecords } from '../../src/import-export/export.ts'
import { importRecords } from '../../src/import-export/import.ts'
import { type OpenDatabase, openDatabase } from '../../src/open-database.ts'
import { changeIn, databaseUrlIn, onPostgres } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { chunks, ndjson, temporaryFolder } from '../support/harness.ts'
import { sample } from '../support/import-records.ts'

// Few records are imported in one transaction. Both ways have the same rules.

const now = () => new Date('2026-03-01T12:00:00.123Z')

async function newDatabase() {
  const { folder, remove } = await temporaryFolder()
  const databaseUrl = await databaseUrlIn(folder)
  const opened = await openDatabase({
    databaseUrl,
    secret: 'one secret of two databases for tests',
    cwd: folder,
    migrations,
    busyTimeoutMs: 50,
    clock: now,
    migrate: 'always',
  })
  const { vault } = opened
  const place = onPostgres ? { databaseUrl } : { databaseFile: databaseFile(databaseUrl, folder) }
  return {
    opened,
    folder,
    importMany: (request: ImportRequest) => importRecords({ ...request, vault, ...place }),
    async close() {
      await opened.close()
      await remove()
    },
  }
}

type TestDatabase = Awaited<ReturnType<typeof newDatabase>>

let many: TestDatabase
let few: TestDatabase
beforeAll(async () => {
  many = await newDatabase()
  few = await newDatabase()
})
afterAll(() => Promise.all([many.close(), few.close()]))

const ofWorkspaces = ['PurchaseChange', 'Purchase', 'ApiKeyItem', 'ApiKey', 'SigningKey', 'Item']
const tables = [...ofWorkspaces, 'Workspace', 'Account', 'SalesTotal']
const clear = (opened: OpenDatabase) =>
  changeIn({ opened }, tables.map((table) => `DELETE FROM "${table}"`).join('; '))

const perhaps = <T extends object>(values: fc.Arbitrary<T>) => fc.oneof(fc.constant({}), values)
const timestamps = fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T00:00:00.700Z', '0001-06-01T00:00:00Z')
const slugs = fc.constantFrom('studio', 'works', 'gone')
const itemIds = fc.constantFrom(101, 102, 103)
const keys = fc.constantFrom('the-first-key-of-all', 'the-second-key-of-all', 'a-third-key-of-ours')

const partsOf = <T extends Record<string, fc.Arbitrary<unknown>>>(parts: T) =>
  fc.record(parts, { requiredKeys: [] }).map((given) => JSON.parse(JSON.stringify(given)) as object)

const accounts = fc.record({
  username: fc.constantFrom('ada', 'bob'),
  balance: fc.constantFrom('1.00', -2, 'much'),
  registered_at: timestamps,
})
const workspaces = fc.tuple(
  fc.record({ slug: slugs, owner: fc.constantFrom('ada', 'ada', 'bob', 'nobody') }),
  partsOf({ shape: fc.constantFrom('base', null), name: fc.constantFrom('One', '') }),
)
const items = fc.tuple(
  fc.record({ id: itemIds, workspace: slugs }),
  partsOf({
    support: fc.boolean(),
    withdrawn_at: fc.option(timestamps),
    tags: fc.constantFrom([], ['“a”', '\\']),
  }),
)
const apiKeys = fc.tuple(
  fc.record({ key: keys, workspace: slugs }),
  partsOf({
    publishable: fc.option(fc.boolean()),
    items: fc.option(fc.array(itemIds, { maxLength: 2 })),
    expires_at: fc.option(timestamps),
    revoked_at: fc.option(timestamps),
    replaces: fc.option(keys),
  }),
)
const purchases = fc.tuple(
  fc.record({
    item: itemIds,
    purchase_code: fc.constantFrom('short', 'A-CODE-OF-12', 'ANOTHER-CODE-é'),
    date: timestamps,
  }),
  partsOf({
    price: fc.constantFrom(1, '20.50', 9_007_199_254_740, 1.234, '-1'),
    state: fc.constantFrom('active', 'refunded', 'revoked', null),
    refunded_at: fc.option(timestamps),
    supported_until: fc.option(timestamps),
    downloaded: fc.boolean(),
  }),
)

/** Records of few things, so that they meet what is stored, each other, and nothing. */
const recordArbitrary = fc.oneof(
  { weight: 2, arbitrary: accounts.map((given) => ({ ...sample.account, ...given })) },
  { weight: 3, arbitrary: workspaces.map((parts) => Object.assign({}, sample.workspace, ...parts)) },
  { weight: 5, arbitrary: items.map((parts) => Object.assign({}, sample.item, ...parts)) },
  { weight: 5, arbitrary: apiKeys.map((parts) => Object.assign({}, sample.key, ...parts)) },
  { weight: 8, arbitrary: purchases.map((parts) => Object.assign({}, sample.purchase, ...parts)) },
  { weight: 1, arbitrary: fc.constant({ type: 'refund' }) },
)

/** What most files begin with: without it nothing refers to anything. */
const base = [
  sample.account,
  sample.workspace,
  { ...sample.workspace, slug: 'works' },
  sample.item,
  { ...sample.item, id: 102, workspace: 'works' },
]

const optionsArbitrary = perhaps(
  partsOf({
    dryRun: fc.boolean(),
    maxErrors: fc.constantFrom(1, 2, 20),
    locale: fc.constantFrom('en', 'pt'),
    actor: fc.constant('admin-import'),
  }),
)

type TestRecord = Record<string, unknown>

/** A record without what is wrong with it, as far as that is its own. */
function tame(record: TestRecord): TestRecord {
  const homes: Record<string, string> = { 102: 'works', 'a-third-key-of-ours': 'works' }
  const workspace = homes[String(record.id ?? record.key)] ?? 'studio'
  const { state, refunded_at, ...rest } = record
  if (record.type === 'workspace') return { ...record, owner: 'ada' }
  if (record.type === 'item') return { ...record, workspace }
  if (record.type === 'api_key') {
    const items = workspace === 'studio' && record.publishable ? [101] : []
    return { ...record, workspace, items, replaces: null }
  }
  if (record.type === 'purchase') {
    const sold = { ...rest, item: record.item === 103 ? 101 : record.item, price: '20.50' }
    return state === 'refunded' ? { ...sold, state, refunded_at } : { ...sold, state }
  }
  return { ...sample.account, balance: '1.00' }
}

const wild = fc
  .tuple(fc.constantFrom([], base), fc.array(recordArbitrary, { maxLength: 12 }))
  .map(([first, more]) => [...first, ...more])

const tamed = fc.oneof(
  fc.array(recordArbitrary, { maxLength: 5 }).map((more) => [...base, ...more.map(tame)]),
  fc.tuple(recordArbitrary.map(tame)),
)

const importArbitrary = fc.record({
  records: fc.oneof(wild, tamed),
  options: optionsArbitrary,
  manual: fc.boolean(),
})

type Import = (request: ImportRequest) => Promise<ImportResult>

/** What an import reports, whether it is refused or not. */
async function reportOf(run: Import, records: readonly object[], options: Partial<ImportRequest>) {
  try {
    return await run({ source: chunks(ndjson(records)), now, ...options })
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    return { problems: error.problems, more: error.more }
  }
}

/** Everything that is stored; ids, which are random, by what has them. */
async function storedIn(opened: OpenDatabase) {
  const { read: select } = opened.database
  const records: string[] = []
  await exportRecords(opened, (piece) => records.push(piece))
  const workspace = `LEFT JOIN "Workspace" w ON w."id" = t."workspaceId"`
  const signingKeys = await select<{ keys: number }>(
    `SELECT w."slug", CAST(count(t."id") AS integer) AS "keys" FROM "Workspace" w
      LEFT JOIN "SigningKey" t ON t."workspaceId" = w."id" GROUP BY 1 ORDER BY 1`,
  )
  // A workspace has its first one from its beginning.
  expect(signingKeys.filter(({ keys }) => keys !== 1)).toEqual([])
  return {
    records: records.join(''),
    signingKeys,
    created: await select(
      `SELECT w."slug", t."code", t."createdEntry" FROM "Purchase" t ${workspace} ORDER BY 1, 2`,
    ),
    changes: await select(
      `SELECT w."slug", t."code", t."entry", t."state" FROM "PurchaseChange" t ${workspace} ORDER BY 1, 2, 3`,
    ),
    totals:
      await select(`SELECT w."slug", t."unit", t."start", t."itemId", t."currency", t."sales", t."salesHigh", t."salesLow",
      t."refunds", t."refundsHigh", t."refundsLow" FROM "SalesTotal" t ${workspace} ORDER BY 1, 2, 3, 4, 5`),
    events:
      await select(`SELECT t."number", t."at", t."action", t."actor", w."slug", k."keyHash", a."username",
      CASE WHEN t."action" = 'import' THEN t."subject" END AS "summary"
      FROM "AuditEntry" t ${workspace} LEFT JOIN "ApiKey" k ON k."id" = t."subject"
      LEFT JOIN "Account" a ON a."id" = t."subject" ORDER BY 1`),
  }
}

test('few records are imported as many are: the same reports, and the same database', async () => {
  const seen = { stored: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(importArbitrary, { minLength: 1, maxLength: 3 }), async (imports) => {
      await clear(many.opened)
      await clear(few.opened)
      for (const { records, options, manual } of imports) {
        const request = { ...options, manual: manual && records.length === 1 }
        const expected = await reportOf(many.importMany, records, request)
        expect(await reportOf(few.opened.importRecords, records, request)).toEqual(expected)
        seen['counts' in expected ? 'stored' : 'refused']++
      }
      const expected = await storedIn(many.opened)
      expect(await storedIn(few.opened)).toEqual(expected)
    }),
    { numRuns: onPostgres ? 30 : 100 },
  )
  expect(Math.min(seen.stored, seen.refused)).toBeGreaterThan(0)
}, 240_000)

test('a sale costs a process less than ten milliseconds', async () => {
  await clear(few.opened)
  await reportOf(few.opened.importRecords, base, {})
  const sell = (index: number) => {
    const sold = { ...sample.purchase, purchase_code: `CODE-OF-SALE-${index}` }
    return few.opened.importRecords({ source: chunks(ndjson([sold])), now })
  }
  // Until its code is compiled.
  for (let index = 0; index < 100; index++) await sell(index)
  const before = process.cpuUsage()
  for (let index = 100; index < 200; index++) await sell(index)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000 / 100).toBeLessThan(10)
})

test('a few rows that make many codes are imported in a thread', async () => {
  await clear(few.opened)
  await reportOf(few.opened.importRecords, base, {})
  const text = 'Order,Quantity,Item ID,Price,Currency,Date\n1,1000,101,5,USD,2026-01-01\n'
  const { preview } = await few.opened.importRecords({ source: chunks(text), now, preview: {} })
  const choices = { file: 'sales.csv', values: {}, items: {}, newItems: [], time_zone: 'UTC' } as const
  const more = { profile: 'none', dates: 'dmy', codes: 'make', seed: 'a seed', skip_invalid: false } as const
  const sales = { ...choices, ...more, columns: preview!.columns }
  let threads = 0
  process.once('worker', () => threads++)
  const { counts } = await few.opened.importRecords({ source: chunks(text), now, sales })
  expect([threads, counts.purchase.created]).toEqual([1, 1000])
})

test('a pipe is read once, to its end', async () => {
  await clear(few.opened)
  await reportOf(few.opened.importRecords, base, {})
  const file = join(few.folder, 'sales.pipe')
  execFileSync('mkfifo', [file])
  const codes = Array.from({ length: 400 }, (_, index) => `CODE-OF-SALE-${index}`)
  const text = ndjson(codes.map((purchase_code) => ({ ...sample.purchase, purchase_code })))
  const [{ counts }] = await Promise.all([
    few.opened.importRecords({ source: readFile(file), file, now }),
    writeFile(file, text),
  ])
  expect(counts.purchase.created).toBe(400)
})
