import { read, utils } from '@e965/xlsx'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSalesFiles } from '../../src/domain/sales-files.ts'
import { type Browser, createBrowser, errorOf, password, salesChoices } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { newSeed } from '../support/random.ts'
import { records } from '../support/records.ts'

const account = records.find((record) => 'username' in record && record.username === 'ada')!
const item = records.find((record) => 'id' in record && record.id === 101)!
const lisboa = { slug: 'lisboa' }

/** Texts of what a spreadsheet, or a reader that ends rows at any line break, could take for something else. */
const piece = fc.constantFrom(
  ...[
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    "'",
    '"',
    '""',
    ',',
    ';',
    '|',
    ':',
    ' ',
    '\uff1d',
    '\uff20',
  ],
  ...[
    '=cmd|calc',
    '=1+1',
    '=HYPERLINK("https://evil.example","x")',
    '-2+3',
    '+1',
    '@SUM(1)',
    'plain',
    'á',
    '0',
  ],
)
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `${pieces.join('')}x`.trim())

const seed = newSeed()
const texts = fc.sample(text, { numRuns: 400, seed })
const items = texts.map((name, index) => ({
  ...item,
  workspace: 'lisboa',
  id: 700_000 + index,
  name,
}))
const sales = texts.map((license, index) => ({
  type: 'purchase',
  item: 700_000 + index,
  purchase_code: `${license.replace(/\s/g, '')}${'ABCD-0000-0000'}${index}`,
  license_type: license,
  price: 10,
  currency: 'USD',
  downloaded: false,
  date: '2020-01-01T00:00:00Z',
  state: 'active',
}))

let service: TestService
let ada: Browser
let csv: string
beforeAll(async () => {
  console.log(`FAST_CHECK_SEED=${seed}`)
  service = await startService({
    records: [{ ...account, password }, records.find((each) => 'slug' in each && each.slug === 'lisboa')!],
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  await service.load([...items, ...sales])
  ada = createBrowser(service.url)
  await ada.signIn('ada')
  csv = (await ada.call('exportPurchases', lisboa, { format: 'csv' })).text
})
afterAll(() => service.close())

/** How the export writes a text: with an apostrophe before what would be a formula. */
const isGuarded = (cell: string, original: string) =>
  cell.length >= original.length && cell.replaceAll("'", '') === original.replaceAll("'", '')

test('a spreadsheet finds a row for each sale, and no formula', () => {
  const book = read(csv, { type: 'string', cellFormula: true, raw: false })
  const sheet = book.Sheets[book.SheetNames[0]!]!
  const formulas = Object.values(sheet).filter(
    (cell) => typeof cell === 'object' && cell !== null && 'f' in cell,
  )
  expect(formulas).toEqual([])
  const rows = utils.sheet_to_json<Record<string, unknown>>(
    read(csv, { type: 'string', raw: true }).Sheets.Sheet1!,
  )
  expect(rows).toHaveLength(sales.length)
  const byId = new Map(rows.map((row) => [Number(row.item_id), row]))
  for (const { id, name } of items) {
    const shown = String(byId.get(id)?.item_name)
    expect([name, isGuarded(shown, name)]).toEqual([name, true])
    expect(shown).not.toMatch(/^[=+\-@\t\r\uff1d\uff20]/)
  }
})

test.each(['\r', '\n', '\t', ',', ';', ':', '|'])(
  'a reader that splits by %j finds no formula',
  (separator) => {
    const parts = csv.slice(1).split(separator)
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.filter((part) => /^"*[=+\-@\t\uff1d\uff0b\uff0d\uff20]/.test(part))).toEqual([])
  },
)

test('a reader that splits by spaces finds signs alone, and no formula', () => {
  const parts = csv.slice(1).split(' ')
  expect(parts.filter((part) => /^"*[=+\-@\uff1d\uff0b\uff0d\uff20]./s.test(part))).toEqual([])
})

test('our own import finds nothing changed in what was exported', async () => {
  const file = new Blob([csv])
  const preview = await ada.ask('previewSales', lisboa, { file, choices: {} })
  expect([preview.profile, preview.rows, preview.without.purchase_code]).toEqual(['none', sales.length, 0])
  const unknown = salesChoices(preview, { profile: 'a subject of the audit log' })
  const refused = await ada.call('importSales', lisboa, { file, choices: unknown })
  expect(errorOf(refused)).toEqual([422, { code: 'invalid', fields: { profile: 'type' } }])
  const { stored, counts, outcome } = await ada.ask('importSales', lisboa, {
    file,
    choices: salesChoices(preview),
  })
  expect([stored, outcome.problems]).toEqual([true, []])
  expect(counts.purchases).toEqual({ created: 0, updated: 0, unchanged: sales.length })
})

test('fields that were corrected by hand or erased stay so when files are imported again, and the others follow the file', async () => {
  const row = (code: number, status = 'paid', price = 19) =>
    `HAND-0001-0001-000${code},700000,${price},USD,2026-01-01,${status},Eva,eva${code}@example.com`
  async function importRows(...rows: string[]) {
    const file = new Blob([['Code,Item ID,Price,Currency,Date,Status,Customer,Email', ...rows].join('\n')])
    const preview = await ada.ask('previewSales', lisboa, { file, choices: {} })
    return ada.ask('importSales', lisboa, { file, choices: salesChoices(preview) })
  }
  await importRows(row(1), row(2), row(3))
  const edited = { purchase_code: 'HAND-0001-0001-0001' }
  const { purchase: before } = await ada.ask('getPurchase', lisboa, edited)
  const changes = {
    price: '1000.50',
    license_type: 'Team',
    date: '2025-12-31T00:00:00Z',
    customer_name: null,
  }
  const edit = await ada.ask('editPurchase', lisboa, { ...edited, changes, before } as never)
  expect(edit).toMatchObject({ stored: true })
  await ada.ask('eraseCustomer', lisboa, { email: 'eva2@example.com' })
  const { counts, outcome } = await importRows(row(1), row(2), row(3))
  expect(counts.purchases).toEqual({ created: 0, updated: 0, unchanged: 3 })
  expect(outcome.sums).toEqual([{ currency: 'USD', state: 'active', sales: 3, amount: '1038.50' }])
  const newer = row(1, 'refunded', 21).replace('USD', 'EUR').replace('eva1', 'eva9')
  await importRows(newer, row(2, 'paid', 22), row(3, 'paid', 20))
  const where = { code: { startsWith: 'HAND-' } }
  const kept = await service.database.prisma.purchase.findMany({ where, orderBy: { code: 'asc' } })
  expect(kept).toMatchObject([
    {
      ...{ price: 100050n, currency: 'USD', licenseType: 'Team', date: new Date('2025-12-31T00:00:00Z') },
      ...{ customerName: null, customerEmail: 'eva9@example.com', state: 'refunded' },
    },
    { price: 2200n, customerName: null, customerEmail: null, state: 'active' },
    { price: 2000n, customerName: 'Eva', state: 'active' },
  ])
})

test.each([
  ['America/Sao_Paulo', 'BRL'],
  ['Asia/Kolkata', 'INR'],
])(
  'a day of a file is that day of its seller in %s, in the list and in the overview',
  async (timezone, currency) => {
    const day = Temporal.Now.zonedDateTimeISO(timezone).startOfDay().subtract({ days: 2 })
    const from = new Date(day.epochMilliseconds).toISOString()
    const row = `DAYS-0001-0001-0${currency},700000,1,${currency},${day.toPlainDate()}`
    const file = new Blob([`Code,Item ID,Price,Currency,Date\n${row}`])
    const preview = await ada.ask('previewSales', lisboa, { file, choices: {} })
    await ada.ask('importSales', lisboa, { file, choices: salesChoices(preview, { time_zone: timezone }) })
    const to = new Date(day.epochMilliseconds + 1000).toISOString()
    const { purchases } = await ada.ask('searchPurchases', lisboa, { from, to })
    expect(purchases.map((purchase) => purchase.currency)).toEqual([currency])
    const { starts, currencies } = await ada.ask('getSales', lisboa, { period: '7d', timezone })
    const { buckets } = currencies.find((each) => each.currency === currency)!
    const days = starts.filter((_, index) => buckets[index]!.sales > 0)
    expect(days.map(Date.parse)).toEqual([day.epochMilliseconds])
  },
)

test('a file whose rows are all rejected is answered with them, although it names a new item', async () => {
  const file = new Blob(['Code,Item,Price,Currency,Date\nNONE-0001-0001-0001,Fresh,1,USD,soon'])
  const preview = await ada.ask('previewSales', lisboa, { file, choices: {} })
  const more = { new_items: { Fresh: 'Fresh' }, skip_invalid: true }
  const { counts, outcome } = await ada.ask('importSales', lisboa, {
    file,
    choices: salesChoices(preview, more),
  })
  expect([counts.purchases.created, outcome.rejected]).toEqual([0, 1])
})

test('a file that makes an item makes it once, however high the ids of others are', async () => {
  await service.load([{ ...item, workspace: 'lisboa', id: Number.MAX_SAFE_INTEGER, name: 'The last id' }])
  const file = new Blob(['Code,Item,Price,Currency,Date\nONCE-0001-0001-0001,New once,1,USD,2026-01-01'])
  const preview = await ada.ask('previewSales', lisboa, { file, choices: {} })
  const choices = salesChoices(preview, { new_items: { 'New once': 'New once' } })
  const made = []
  for (let time = 0; time < 2; time++) {
    const { counts, outcome } = await ada.ask('importSales', lisboa, { file, choices })
    made.push([counts.items.created, counts.purchases.created, outcome.rejected])
  }
  expect(made).toEqual([
    [1, 1, 0],
    [0, 0, 0],
  ])
})

test('an item that two workspaces matched differently is none of ours, whatever its id in the shop', async () => {
  const files = createSalesFiles(service.database)
  const twins = ['twin-one', 'twin-two'].map((slug) => ({
    type: 'workspace',
    slug,
    name: slug,
    owner: 'ada',
  }))
  const own = twins.map(({ slug }, index) => ({ ...item, workspace: slug, id: 900_000 + index, name: slug }))
  await service.load([...twins, ...own])
  await files.keepItems('gumroad', { 700001: 900_000 })
  await files.keepItems('gumroad', { 700001: 900_001 })
  const found = await files.match([{ text: '700001', name: 'Sold elsewhere', count: 1 }], 'gumroad')
  expect(found).toMatchObject([{ item: null }])
})

test('a file that has ids of products alone names none of ours', async () => {
  const files = createSalesFiles(service.database)
  const ask = [{ text: '700001', name: '', count: 1 }]
  for (const workspaceId of [undefined, 1])
    expect(await files.match(ask, 'woocommerce', workspaceId)).toMatchObject([{ item: null }])
  expect(await files.match(ask, 'none')).toMatchObject([{ item: { id: 700_001 } }])
})

test('items are found by a name that no other item has, however many have one', async () => {
  const named = (id: number, name: string) => ({ ...item, workspace: 'lisboa', id, name })
  await service.load([
    named(800_000, 'The only one'),
    ...Array.from({ length: 300 }, (_, index) => named(800_001 + index, 'One of many')),
  ])
  let rows = 0
  const { transact } = service.database
  const read: typeof service.database.read = async (...query) => {
    const found = await service.database.read(...query)
    rows += found.length
    return found as never
  }
  const files = createSalesFiles({ read, transact })
  const ask = ['One of many', 'The only one'].map((text) => ({ text, name: '', count: 1 }))
  const found = await files.match(ask, 'none')
  expect(found.map((each) => each.item?.id)).toEqual([undefined, 800_000])
  expect(rows).toBeLessThan(20)
})

test('imports that run at once make codes from one seed, and keep what each of them matched', async () => {
  const { prisma } = service.database
  const { id } = await prisma.workspace.findFirstOrThrow({ where: lisboa })
  const files = createSalesFiles(service.database)
  const [seed, other] = await Promise.all([
    files.seed(id),
    files.seed(id),
    files.keepItems('edd', { one: 700_000 }, id),
    files.keepItems('payhip', { two: 700_001 }, id),
  ])
  expect(other).toBe(seed)
  const { salesFiles } = await prisma.workspace.findUniqueOrThrow({ where: { id } })
  const kept = { seed, items: { edd: { one: 700_000 }, payhip: { two: 700_001 } } }
  expect(JSON.parse(salesFiles ?? '')).toMatchObject(kept)
})

test('what is kept of imports has a bound, and those of the last file are kept', async () => {
  const { prisma } = service.database
  const { id } = await prisma.workspace.findFirstOrThrow({ where: lisboa })
  const files = createSalesFiles(service.database)
  for (let file = 0; file < 4; file++)
    await files.keepItems(`${file % 2}`, { [`${file}`.repeat(400_000)]: 700_000 }, id)
  const { salesFiles } = await prisma.workspace.findUniqueOrThrow({ where: { id } })
  expect(salesFiles!.length).toBeLessThan(1_100_000)
  expect(salesFiles).toContain('3'.repeat(400_000))
})
