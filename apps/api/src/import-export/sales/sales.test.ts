import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SalesPreview } from '@saleproof/schema/console'
import { createRejectedRows } from '@saleproof/schema/sales-file'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chunked, createTestDatabase, type TestDatabase } from '../../../test/support/import-database.ts'
import { sample } from '../../../test/support/import-records.ts'
import { type FilePreview, ImportError, type SalesOptions } from '../../domain/imports.ts'
import { profiles } from './profiles/index.ts'
import { createSaleReader } from './sale-reader.ts'

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../test/fixtures/sales/${name}.csv`, import.meta.url)), 'utf8')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.remove())
beforeEach(async () => {
  database.clear()
  const items = [101, 102].map((id) => ({ ...sample.item, id }))
  await database.load([sample.account, sample.workspace, ...items])
})

async function preview(text: string | Uint8Array, request: Partial<SalesPreview> = {}): Promise<FilePreview> {
  return (await database.loadText(text, { preview: request })).preview!
}

const itemIds: Readonly<Record<string, number>> = {
  ...{ 'Icon pack': 101, icons: 101, '7001': 101, '55': 101, '101': 101 },
  ...{ 'Rain loops': 102, loops: 102, '7002': 102, '56': 102 },
}

const optionsOf = (found: FilePreview, more: Partial<SalesOptions> = {}): SalesOptions => ({
  file: 'sales.csv',
  profile: found.profile,
  columns: found.columns,
  values: { currency: 'USD', price: '5' },
  items: itemIds,
  newItems: [],
  dates: found.dates ?? 'dmy',
  time_zone: 'Europe/Lisbon',
  codes: 'make',
  seed: 'a seed',
  skip_invalid: true,
  ...more,
})

const load = (text: string | Uint8Array, sales: SalesOptions, more: object = {}) =>
  database.loadText(text, { sales, ...more })

const stored = async () =>
  (await database.exported())
    .split('\n')
    .filter((line) => line.startsWith('{"type":"purchase"'))
    .map((line) => JSON.parse(line))

/** Item, price, currency, date and state of each sale, by the end of its code. */
async function summary() {
  const sales = await stored()
  return sales.map(({ item, price, currency, date, state }) => [item, price, currency, date, state])
}

type Expected = readonly [item: number, price: number, currency: string, date: string, state: string]

interface Case {
  /** In the order of the codes; those of made codes in any order. */
  sales: readonly Expected[]
  skipped: object
  partial?: number
  rejected?: number
  /** Rows with one code for several pieces. */
  oneCode?: number
}

const cases: Readonly<Record<string, Case>> = {
  gumroad: {
    sales: [
      [101, 19.99, 'USD', '2026-07-01T23:30:00Z', 'active'],
      [101, 19.99, 'USD', '2026-07-02T10:00:00Z', 'refunded'],
      [101, 19.99, 'USD', '2026-07-03T10:00:00Z', 'active'],
      [102, 29, 'USD', '2026-07-04T10:00:00Z', 'revoked'],
      [102, 29, 'USD', '2026-07-05T10:00:00Z', 'active'],
      [102, 29, 'USD', '2026-07-07T10:00:00Z', 'active'],
    ],
    skipped: { total: 1, repeated: 1, no_sale: 1 },
    partial: 1,
    oneCode: 1,
  },
  lemonsqueezy: {
    sales: [
      [101, 11.99, 'EUR', '2026-07-01T23:30:00Z', 'active'],
      [101, 11.99, 'USD', '2026-07-02T10:00:00Z', 'refunded'],
      [101, 11.99, 'USD', '2026-07-03T10:00:00Z', 'active'],
      [102, 29, 'USD', '2026-07-04T10:00:00Z', 'revoked'],
    ],
    skipped: { no_sale: 2 },
    partial: 1,
  },
  payhip: {
    sales: [
      [101, 9, 'USD', '2026-06-30T23:00:00Z', 'active'],
      [102, 1009, 'EUR', '2026-07-12T23:00:00Z', 'refunded'],
      [102, 9, 'EUR', '2026-07-13T23:00:00Z', 'revoked'],
    ],
    skipped: {},
  },
  shopify: {
    sales: [
      [101, 20, 'EUR', '2026-07-01T22:30:00Z', 'active'],
      [101, 20, 'EUR', '2026-07-01T22:30:00Z', 'active'],
      [102, 29, 'EUR', '2026-07-01T22:30:00Z', 'active'],
      [101, 20, 'EUR', '2026-07-02T09:00:00Z', 'refunded'],
      [101, 20, 'EUR', '2026-07-03T09:00:00Z', 'active'],
    ],
    skipped: { no_sale: 1 },
    partial: 1,
  },
  edd: {
    sales: [
      [101, 19.99, 'USD', '2026-07-01T23:30:00Z', 'active'],
      [101, 19.99, 'USD', '2026-07-02T10:00:00Z', 'refunded'],
      [102, 1029, 'EUR', '2026-07-03T10:00:00Z', 'active'],
      [102, 29, 'USD', '2026-07-04T10:00:00Z', 'revoked'],
    ],
    skipped: { no_sale: 5 },
    partial: 1,
  },
  woocommerce: {
    sales: [
      [101, 5, 'USD', '2026-07-01T23:30:00Z', 'active'],
      [101, 5, 'USD', '2026-07-02T10:00:00Z', 'active'],
    ],
    skipped: { no_sale: 2 },
    rejected: 1,
  },
  stripe: {
    sales: [
      [101, 19.99, 'USD', '2026-07-01T23:30:00Z', 'active'],
      [101, 19.99, 'USD', '2026-07-02T10:00:00Z', 'refunded'],
      [101, 19.99, 'USD', '2026-07-03T10:00:00Z', 'active'],
      [102, 29, 'EUR', '2026-07-04T10:00:00Z', 'revoked'],
      [102, 29, 'EUR', '2026-07-05T10:00:00Z', 'active'],
    ],
    skipped: { no_sale: 2 },
    partial: 1,
  },
  none: {
    sales: [
      [101, 19.9, 'EUR', '2025-06-30T23:00:00Z', 'active'],
      [101, 1019.9, 'EUR', '2025-07-02T11:00:00Z', 'refunded'],
    ],
    skipped: { blank: 1, header: 1, total: 1 },
    rejected: 1,
  },
}

const byDate = (sales: readonly (readonly unknown[])[]) =>
  [...sales].sort((a, b) => `${a[3]} ${a[0]}`.localeCompare(`${b[3]} ${b[0]}`))

test('a sale has the customer and the order of its row', async () => {
  const text = fixture('gumroad')
  await load(text, optionsOf(await preview(text)))
  const [first] = await stored()
  expect(first).toMatchObject({
    customer_name: 'Eva Lima',
    customer_email: 'eva@example.com',
    order: '100001',
  })
})

test.each(['gumroad', 'lemonsqueezy'])('the variant of %s is the license', async (name) => {
  const text = fixture(name).replace('Default', 'Extended license')
  await load(text, optionsOf(await preview(text)))
  expect((await stored()).map(({ license_type }) => license_type).slice(0, 2)).toEqual([
    'Extended',
    'Regular',
  ])
})

test('the license of any file, such as our own export, stays as it is written', async () => {
  const licenses = ['Standard License', '(Team)', 'extended', 'Regular']
  const rows = licenses.map((license, index) => `AAAA-0001-000${index},101,5,USD,2026-01-01,${license}`)
  const text = ['Code,Item ID,Price,Currency,Date,License', ...rows, 'AAAA-0001-0009,101,5,USD,2026-01-01,']
  const file = text.join('\n')
  await load(file, optionsOf(await preview(file)))
  expect((await stored()).map(({ license_type }) => license_type)).toEqual([...licenses, 'Regular'])
})

const eddColumns = ['Discount Code', 'Transaction ID', 'Purchase Key', 'Date', 'Status']

test.each([
  ['ID', 'Payment Number', 'Products', 'Amount ($)', 'First Name'],
  ['Payment ID', 'Payment Number', 'Products (Verbose)', 'Amount ($)', 'First Name'],
  ['Order ID', 'Order Number', 'Products (Verbose)', 'Amount', 'Customer Name'],
])('Easy Digital Downloads names a payment %s', async (...names) => {
  const row = ['7', 'WEB-7', 'Icon pack (2) - Team - $1,019.99', '1,019.99', 'Eva', 'none', 'ch_1', 'EDD1']
  const rows = [
    [...names, ...eddColumns],
    [...row, '2026-07-01 23:30:00', 'complete'],
  ]
  const text = rows.map((cells) => `"${cells.join('","')}"`).join('\n')
  const found = await preview(text)
  // Version 3 writes UTC, the others the time of the site.
  const isUtc = names[0] === 'Order ID'
  expect(found).toMatchObject({ profile: 'edd', needs_time_zone: !isUtc })
  expect(found.items.map(({ text }) => text)).toEqual(['Icon pack - Team'])
  await load(text, optionsOf(found, { items: { 'Icon pack - Team': 101 } }))
  const date = isUtc ? '2026-07-01T23:30:00Z' : '2026-07-01T22:30:00Z'
  const sale = { purchase_code: 'EDD1', order: 'WEB-7', price: 1019.99, customer_name: 'Eva', date }
  expect(await stored()).toMatchObject([sale])
})

test('a sale that was a test, or whose state is unclear, is never stored', async () => {
  const one = fixture('edd').split('\n').slice(0, 2).join('\n')
  const modes = ['test', 'Test', 'perhaps'].map((mode) => one.replace('"live"', `"${mode}"`))
  const states = ['processing', 'pending', 'on_hold'].map((state) => one.replace('"complete"', `"${state}"`))
  const outcomes = []
  for (const text of [...modes, ...states]) {
    const { sales: outcome } = await load(text, optionsOf(await preview(text)))
    outcomes.push([outcome?.skipped.no_sale, outcome?.rejected])
  }
  expect(outcomes).toEqual([[1, 0], [1, 0], ...Array(4).fill([0, 1])])
  expect(await stored()).toEqual([])
})

test('a sale of Gumroad whose access was revoked or whose key was disabled is revoked', async () => {
  const [head, first, start, end, third, ...others] = fixture('gumroad').trimEnd().split('\n')
  const text = [
    `${head},Access Revoked?,License Key Enabled?`,
    `${first},1,1`,
    start,
    `${end},0,0`,
    `${third},0,0`,
    // A product without keys says nothing.
    ...others.map((row) => `${row},0,`),
  ].join('\n')
  await load(text, optionsOf(await preview(text)))
  expect((await stored()).map(({ state }) => state).slice(0, 3)).toEqual(['revoked', 'refunded', 'revoked'])
})

test('rows are rejected one by one: by themselves, by what is stored, and where two say different things', async () => {
  const text = [
    'Code,Item ID,Price,Currency,Date,Status,Quantity,Order',
    'AAAA-0001-0001,101,5,USD,2026-01-01,paid,1,1',
    'AAAA-0001-0002,999,5,USD,2026-01-01,paid,1,2',
    'AAAA-0001-0003,101,5,USD,2026-01-01,constructor,1,3',
    'AAAA-0001-0004,101,5.001,USD,soon,paid,1,4',
    'AAAA-0001-0005,101,5,USD,2026-01-01,paid,1,5',
    'AAAA-0001-0005,101,5,USD,2026-01-01,refunded,1,5',
    'AAAA-0001-0006,101,5,XYZ,2026-01-01,paid,1,6',
    ',101,10,USD,2026-01-01,paid,3,7',
  ].join('\n')
  const options = optionsOf(await preview(text), { items: {} })
  const { sales: outcome, counts, refused } = await load(text, options)
  expect(outcome?.problems).toMatchObject([
    { field: 'state', lines: [4], value: 'constructor' },
    { field: 'date', lines: [5], value: 'soon' },
    { field: 'price', lines: [5], value: '5.001' },
    { field: 'currency', lines: [8], value: 'XYZ' },
    { field: 'item', lines: [3] },
    { field: 'purchase_code', lines: [7, 6], others: [6, 7] },
  ])
  const problems = outcome!.problems.map((each) => ({ ...each, column: `${each.field}` }))
  const take = createRejectedRows({ ...outcome!, problems })
  const written = (take(Buffer.from(text)) + take()).split('\n').filter((line) => line.includes('0005,'))
  expect(written).toEqual([6, 7].map((line) => expect.stringContaining(`different content (${13 - line})"`)))
  // A spreadsheet takes quotes away that its own separator does not need.
  const wrong = [{ column: 'Date', message: 'wrong', lines: [2, 3] }]
  const again = createRejectedRows({ header: 1, problems: wrong, lengths: [] })
  const once = 'Code;Date;problem\nA;x;"said ""no""; twice"\nB;y;soon, or later\n'
  expect(again(Buffer.from(once)) + again()).toBe(
    'Code;Date;"problem"\nA;x;"Date: wrong"\nB;y;"Date: wrong"\n',
  )
  const monthFirst = await load(text, { ...options, dates: 'mdy', skip_invalid: false })
  const unread = [outcome, monthFirst.sales].map((each) => each?.problems[1]?.message)
  expect(unread).toEqual([expect.stringContaining(' 31/01/2026'), expect.stringContaining(' 01/31/2026')])
  // Three of the four sales are the pieces of one row.
  expect([refused, outcome?.rejected, outcome?.more, outcome?.good]).toEqual([false, 6, 2, 2])
  expect(counts.purchase).toEqual({ created: 4, updated: 0, unchanged: 0 })
  // The price of a quantity is split, and each piece has a code of its own.
  const prices = (await stored()).filter(({ order }) => order === '7').map(({ price }) => price)
  expect(prices.sort()).toEqual([3.33, 3.33, 3.34])
  const all = await load(text, { ...options, skip_invalid: false })
  expect([all.refused, all.counts.purchase.unchanged]).toEqual([true, 4])
})

test('all problems of a row are listed', async () => {
  const text = [
    'Code,Item,Price,Currency,Date,Status,Refunded,Quantity,Order,E-mail',
    'AAAA-0001-0001,Icon pack,5,USD,2026-01-01,paid,no,1,1,eva@example.com',
    'AAAA-0001-0002,Icon pack,6,USD,2026-01-02,paid,no,1,2,eva@example.com',
    'AAAA-0001-0003,Other,5.001,USD,soon,maybe,perhaps,0,3,nowhere',
    ',Icon pack,9,XYZ,31/31/2026,paid,no,3,4,eva@example.com',
  ].join('\n')
  const { codes, ...options } = optionsOf(await preview(text))
  const { sales: outcome } = await load(text, options)
  const fields = (line: number) =>
    outcome?.problems.filter(({ lines }) => lines.includes(line)).map(({ field }) => field)
  expect(fields(4)).toEqual(['state', 'refunded', 'item', 'date', 'quantity', 'customer_email', 'price'])
  expect(fields(5)).toEqual(['date', 'purchase_code', 'currency'])
  expect([outcome?.rejected, outcome?.more]).toEqual([2, 0])
})

test('an item that is made never takes the place of one of another workspace, nor do its sales', async () => {
  await database.load([
    { ...sample.workspace, slug: 'other' },
    { ...sample.item, id: 103, workspace: 'other' },
  ])
  const text = 'Code,Item,Price,Currency,Date\nAAAA-0001-0001,New,5,USD,2026-01-01\n'
  const newItems = [{ id: 103, name: 'New', url: 'https://example.com/' }]
  const options = optionsOf(await preview(text), { items: { New: 103 }, newItems })
  const before = await database.exported()
  const own = { workspace: sample.workspace.slug, onlyNew: false }
  await expect(load(text, options, { own })).rejects.toThrow(ImportError)
  // Nor of one that was created in its workspace since its id was chosen.
  const taken = { items: { New: 101 }, newItems: newItems.map((item) => ({ ...item, id: 101 })) }
  await expect(load(text, { ...options, ...taken }, { own })).rejects.toThrow(ImportError)
  expect(await database.exported()).toBe(before)
})

test('an item that is made is sold in the currency of its own sales', async () => {
  const text = [
    'Name,Financial Status,Currency,Created at,Lineitem name,Lineitem quantity,Lineitem price',
    '#1,paid,USD,2026-07-01 10:00:00 +0000,Icon pack,1,5',
    '#2,paid,?,2026-07-01 10:00:00 +0000,New,1,5',
    '#3,paid,eur,2026-07-01 10:00:00 +0000,Icon pack,1,5',
    '#3,,,,New,1,5',
    '#3,,,,Newer,1,5',
    '#4,paid,JPY,2026-07-01 10:00:00 +0000,New,1,5',
    '#5,paid,JPY,soon,Newest,1,5',
  ].join('\n')
  const names = ['New', 'Newer', 'Newest']
  const newItems = names.map((name, index) => ({ id: 103 + index, name, url: 'https://example.com/' }))
  const items = { 'Icon pack': 101, New: 103, Newer: 104, Newest: 105 }
  const own = { workspace: sample.workspace.slug, onlyNew: false }
  const options = optionsOf(await preview(text), { items, newItems })
  const { sales: outcome } = await load(text, options, { own })
  expect(outcome?.rejected).toBe(2)
  expect((await stored()).map(({ order }) => order).sort()).toEqual(['#1', '#3', '#3', '#3', '#4'])
  const exported = await database.exported()
  for (const id of [103, 104]) expect(exported).toMatch(new RegExp(`"id":${id},.*"currency":"EUR"`))
})

test('cells that are empty are asked for, and their rows get the answers', async () => {
  const rows = ['Icon pack,5,USD,Team', ',6,,', 'Rain loops,7,,Team']
  const cells = rows.map((row, index) => `AAAA-0001-000${index},2026-01-01,${row}`)
  const text = ['Code,Date,Item,Price,Currency,License', ...cells].join('\n')
  const found = await preview(text)
  expect(found.without).toEqual({ purchase_code: 0, currency: 2, license_type: 1 })
  expect(found.items.map(({ text: called, count }) => [called, count])).toContainEqual(['', 1])
  const values = { currency: 'EUR', license_type: 'Extended' }
  await load(text, optionsOf(found, { values, items: { 'Icon pack': 101, '': 102 } }))
  // What the file calls an item is never the one of rows that name none.
  expect(await stored()).toMatchObject([
    { item: 101, currency: 'USD', license_type: 'Team' },
    { item: 102, currency: 'EUR', license_type: 'Extended' },
  ])
})

test('the quantities of a file make so many codes, and no more', async () => {
  const found = await preview('Order,Quantity,Item ID,Price,Currency,Date\n1,1000,101,5,USD,2026-01-01\n')
  const readSale = createSaleReader(optionsOf(found), found.names)
  const read = (quantity: number) =>
    readSale({ line: 2, lines: 1, cells: ['1', `${quantity}`, '101', '5', 'USD', '2026-01-01'] }, false)
  const rows = Array.from({ length: 101 }, () => read(1000))
  expect(rows.findIndex((row) => 'issues' in row && row.issues.length > 0)).toBe(100)
  expect([read(1), read(1000)]).toMatchObject([{ issues: [] }, { issues: [{ field: 'quantity' }] }])
})

test('a file with too many problems is not read to its end, and nothing of it is stored', async () => {
  const head = 'Code,Item ID,Price,Currency,Date\nAAAA-0001-0001,101,5,USD,2026-01-01\n'
  const options = optionsOf(await preview(head))
  const { sales: outcome, refused } = await load(head + 'x\n'.repeat(250_000), options)
  expect([refused, outcome!.rejected < 201_000, await stored()]).toEqual([true, true, []])
  expect(outcome!.problems.map(({ lines: { length } }) => length)).toEqual([outcome!.rejected, 1])
})

test('an order is rejected as a whole, wherever the file is cut into chunks', async () => {
  const text = [
    'Name,Financial Status,Currency,Created at,Lineitem name,Lineitem quantity,Lineitem price',
    '#1,paid,USD,2026-07-01 10:00:00 +0000,Icon pack,1,5',
    '#1,,,,Other,1,5',
    '#1,"torn"',
    '#1,,,,Icon pack,1,5',
    '#2,paid,USD,2026-07-01 10:00:00 +0000,Icon pack,1,5',
  ].join('\n')
  const options = optionsOf(await preview(text))
  const { sales: outcome } = await load(text, options, { source: chunked(text, 20) })
  expect((await stored()).map(({ order }) => order)).toEqual(['#2'])
  expect(outcome).toMatchObject({ rows: 5, rejected: 4, skipped: { given_twice: 0 }, lengths: [[2, 4]] })
})

test('an order whose first row is left out is rejected by itself', async () => {
  const text = [
    'Name,Financial Status,Currency,Created at,Lineitem name,Lineitem price,Code',
    '#1,paid,USD,2026-07-01 10:00:00 +0000,Icon pack,5,AAAA-0001-0001',
    '#2,paid,USD,2026-07-01 10:00:00 +0000,Icon pack,5,',
    '#2,,,,Other,5,AAAA-0001-0002',
  ].join('\n')
  const found = await preview(text)
  const columns = { ...found.columns, purchase_code: 6 }
  const { sales: outcome } = await load(text, optionsOf(found, { columns, codes: 'skip' }))
  expect((await stored()).map(({ order }) => order)).toEqual(['#1'])
  expect(outcome).toMatchObject({ rows: 3, rejected: 1, skipped: { no_code: 1 }, problems: [{ lines: [3] }] })
})

test('an order of days and months is asked for wherever it is needed', async () => {
  const text =
    'Code,Item ID,Price,Currency,Date,Support until\nAAAA-0001-0001,101,5,USD,2026-01-01,03/04/2027\n'
  expect(await preview(text)).toMatchObject({ dates: null, dates_unclear: true })
})

test('the column of states is found although most of its words are unclear', async () => {
  const statuses = ['pending', 'authorized', 'on hold', 'refunded']
  const shopify = statuses.map((status, index) => `#${index},${status},USD,2026-01-01,Icon pack`)
  const others = statuses.map((status, index) => `AAAA-0001-000${index},${status},CA`)
  const known = await preview(
    ['Name,Financial Status,Currency,Created at,Lineitem name', ...shopify].join('\n'),
  )
  const any = await preview(['Code,Status,State', ...others].join('\n'))
  const unknown = await preview(['Name,Financial Status,Lineitem name', '#1,pending,Icon pack'].join('\n'))
  expect([known, any, unknown].map(({ columns }) => columns.state)).toEqual([1, 1, 1])
})

test('a column whose words are all unclear is that of the states, but for the state of an address', async () => {
  const columnOf = async (names: string, row: string) =>
    (await preview(`Code,${names}\nAAAA-0001-0001,${row}\n`)).columns
  expect((await columnOf('Status', 'pending')).state).toBe(1)
  expect((await columnOf('State', 'pending')).state).toBe(1)
  expect((await columnOf('State,Status', 'CA,pending')).state).toBe(2)
  expect((await columnOf('Refunded,Disputed', 'perhaps,perhaps')).refunded).toBe(1)
  expect((await columnOf('State,Zip code', 'CA,94103')).state).toBe(-1)
  const text = 'Code,Item ID,Price,Date,Status\nAAAA-0001-0001,101,5,2026-01-01,pending\n'
  const { sales: outcome } = await load(text, optionsOf(await preview(text)))
  expect([outcome?.rejected, await stored()]).toEqual([1, []])
})

test('a file says neither that a sale is active again, nor that it was not downloaded', async () => {
  const row = (code: string, status: string) => `AAAA-0001-000${code},101,5,USD,2026-01-0${code},${status}`
  const head = 'Code,Item ID,Price,Currency,Date,Status'
  const text = [head, row('1', 'paid'), row('2', 'paid'), row('3', 'paid'), row('4', 'paid')].join('\n')
  const options = optionsOf(await preview(text))
  const first = await load(text, options)
  expect(first.sales).toMatchObject({ kept: 0, sums: [{ state: 'active', sales: 4, amount: '20.00' }] })
  const [one, other, third] = await stored()
  await database.load([
    { ...one, state: 'refunded', refunded_at: '2026-02-01T00:00:00Z' },
    { ...other, state: 'revoked' },
    { ...third, downloaded: true },
  ])
  const before = await stored()
  const again = await load(text, options)
  expect(again.counts.purchase).toEqual({ created: 0, updated: 0, unchanged: 4 })
  expect(again.sales).toMatchObject({
    kept: 2,
    sums: [
      { state: 'active', sales: 2, amount: '10.00' },
      { state: 'refunded', sales: 1, amount: '5.00' },
      { state: 'revoked', sales: 1, amount: '5.00' },
    ],
  })
  expect(await stored()).toEqual(before)
  // What a file says to have ended, ends.
  await load([head, row('3', 'refunded')].join('\n'), options)
  expect((await stored()).map(({ state }) => state)).toEqual(['refunded', 'revoked', 'refunded', 'active'])
})

const ordersOf = (...rows: readonly string[]) => ['Order,Item,Price,Currency,Date', ...rows].join('\n')

test('each piece of an order without codes has a code of its own, the same one each time', async () => {
  const text = ordersOf(
    '1,Icon pack,5,USD,2026-01-01',
    '1,Icon pack,5,USD,2026-01-01',
    '1,Rain loops,7,USD,2026-01-01',
    '2,Icon pack,5,USD,2026-01-01',
  )
  const options = optionsOf(await preview(text))
  const { sales: outcome, counts } = await load(text, options)
  expect([outcome?.rejected, counts.purchase.created]).toEqual([0, 4])
  // Also where the shop calls an item otherwise by now.
  const renamed = { ...options, items: { Icons: 101, 'Rain loops': 102 } }
  const again = await load(text.replaceAll('Icon pack', 'Icons'), renamed)
  expect(again.counts.purchase).toEqual({ created: 0, updated: 0, unchanged: 4 })
})

test('an order for which codes are made is rejected as a whole: the places of its rows stay', async () => {
  const text = ordersOf(
    '1,Icon pack,5,USD,2026-01-01',
    '1,Rain loops,7,USD,soon',
    '2,Icon pack,5,USD,2026-01-01',
  )
  const { sales: outcome, counts } = await load(text, optionsOf(await preview(text)))
  expect([outcome?.lengths, outcome?.rejected, counts.purchase.created]).toEqual([[[2, 2]], 2, 1])
})

test('rows of an order for which codes are made are problems where they are apart and differ', async () => {
  const row = '1,Icon pack,5,USD,2026-01-01'
  const text = ordersOf(row, '2,Rain loops,7,USD,2026-01-01', row, '2,Icon pack,5,USD,2026-01-01')
  const { sales: outcome } = await load(text, optionsOf(await preview(text)))
  expect(outcome).toMatchObject({ rejected: 2, skipped: { given_twice: 1 }, problems: [{ field: 'order' }] })
})

test('a payment that is in a file twice is one sale', async () => {
  const [head, first] = fixture('stripe').split('\n')
  const text = [head, first, first].join('\n')
  const { sales: outcome, counts } = await load(text, optionsOf(await preview(text)))
  expect([counts.purchase.created, outcome?.skipped.given_twice]).toEqual([1, 1])
})

test('the id of an item in the export of a shop is none of ours', async () => {
  const text = fixture('lemonsqueezy').replaceAll(',7001,', ',102,')
  const { sales: outcome } = await load(text, optionsOf(await preview(text), { items: { '7002': 102 } }))
  expect(outcome?.problems).toMatchObject([{ field: 'item' }])
})

test('a sale of which nothing is left is refunded', async () => {
  const text = 'Code,Item ID,Price,Currency,Date,Refunded amount\nAAAA-0001-0001,101,0,USD,2026-01-01,5\n'
  await load(text, optionsOf(await preview(text)))
  expect(await summary()).toMatchObject([[101, 0, 'USD', '2026-01-01T00:00:00Z', 'refunded']])
})

describe.each(profiles.map(({ name }) => name))('the export of %s', (name) => {
  const { sales, skipped, partial = 0, rejected = 0, oneCode = 0 } = cases[name]!

  test('is recognised, and each of its sales is stored as it says', async () => {
    const text = fixture(name)
    const found = await preview(text)
    expect([found.profile, found.dates_unclear]).toEqual([name, false])
    const { sales: outcome, counts } = await load(text, optionsOf(found))
    expect(outcome?.problems.map(({ message }) => message)).toEqual(rejected ? ['is unclear'] : [])
    expect(byDate(await summary())).toEqual(byDate(sales))
    expect(outcome).toMatchObject({ partial, rejected, skipped, one_code: oneCode })
    const skips = Object.values(outcome!.skipped).reduce((sum, count) => sum + count, 0)
    expect(outcome!.rows + outcome!.more).toBe(counts.purchase.created + skips + rejected)
    const sums = outcome!.sums.reduce((sum, each) => sum + Number(each.amount), 0)
    expect(sums).toBeCloseTo(sales.reduce((sum, [, price]) => sum + price, 0))
  })

  test('changes nothing when it is imported again', async () => {
    const text = fixture(name)
    const options = optionsOf(await preview(text))
    await load(text, options)
    const before = database.bytes()
    const { counts } = await load(text, options)
    expect(counts.purchase).toEqual({ created: 0, updated: 0, unchanged: sales.length })
    expect(database.bytes().equals(before)).toBe(true)
  })
})
