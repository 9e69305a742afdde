import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'

const studio = { slug: 'ada-studio' }
const note = 'Asked twice (refund), said:\n"VIP" #12'

const sale = (code: string, more: object) => ({
  type: 'purchase' as const,
  item: 101,
  purchase_code: code,
  license_type: 'Regular',
  price: 10,
  currency: 'USD',
  downloaded: false,
  date: '2026-02-01T08:00:00Z',
  ...more,
})
const sales = [
  sale('FIRST-OF-ELODIE-01', {
    customer_name: 'Élodie Durand ',
    customer_email: 'Elodie@Example.com',
    order: '#1001',
    note,
  }),
  sale('SECOND-OF-ELODIE-2', { customer_email: 'ELODIE@example.com', order: 'A-77' }),
  sale('FIRST-OF-JOSE-0001', { customer_name: 'JOSÉ 100%', customer_email: 'jose_x@example.com', note: '' }),
]

let service: TestService
let ada: Browser
beforeAll(async () => {
  const withPasswords = records.map((record) => ('username' in record ? { ...record, password } : record))
  service = await startService({
    records: [...withPasswords, ...sales],
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service.close())

const found = async (search: string) =>
  (await ada.ask('searchPurchases', studio, { search })).purchases.map((one) => one.purchase_code).sort()

const validate = (code: string, shape = 'base') =>
  service.request({
    method: 'POST',
    path: `${operations.validatePurchase.path}?shape=${shape}`,
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code }),
  })

const words = () =>
  service.database.read<{ word: string; code: string }>(
    'SELECT "word", "code" FROM "PurchaseWord" ORDER BY 1, 2',
  )

const [first, second, jose] = sales.map((one) => one.purchase_code) as [string, string, string]

test.each([
  ['elodie@example.com', [first, second]],
  ['ELOD', [first, second]],
  ['élo', [first]],
  ['ÉLODIE dur', [first]],
  ['durand elodie@', [first]],
  ['josé', [jose]],
  ['jose_', [jose]],
  ['jose%', []],
  ['100%', [jose]],
  ['#1001', [first]],
  ['1001', [first]],
  ['a-7', [second]],
  ['refund', [first]],
  ['vip', [first]],
  ['efund', []],
  ['durand josé', []],
])('a search for %s finds purchases by how words about their customers begin', async (text, expected) => {
  expect(await found(text)).toEqual([...expected].sort())
})

test('the first page of a list says what was paid for all of it', async () => {
  const [page, more] = [
    await ada.ask('searchPurchases', studio, { search: 'elodie@', limit: 1 }),
    await ada.ask('searchPurchases', studio, { state: 'active' }),
  ]
  expect(page).toMatchObject({ total: { count: 2 }, sums: [{ currency: 'USD', amount: '20.00' }] })
  const usd = more.purchases.filter(({ currency }) => currency === 'USD')
  const paid = more.sums?.find(({ currency }) => currency === 'USD')?.amount
  expect(Number(paid)).toBeCloseTo(usd.reduce((sum, { price }) => sum + price, 0))
  const cursor = page.next_cursor!
  expect(await ada.ask('searchPurchases', studio, { search: 'elodie@', cursor })).toMatchObject({
    sums: null,
  })
})

test.each([
  ['Hello, I am elodie@EXAMPLE.com. Where is my code?', 'elodie@example.com', 2],
  ['order 1001, please', '1001', 1],
  ['<jose_x@example.com>', 'jose_x@example.com', 1],
])('a check of "%s" finds the customer', async (text, search, count) => {
  const checked = await ada.ask('check', studio, { purchase_code: text })
  expect(checked).toMatchObject({
    reason: 'customer',
    customer: { search, count: { count, more: false } },
    purchase: null,
  })
})

test('a check of a code with an address beside it finds the code', async () => {
  const text = `${first} elodie@example.com`
  expect(await ada.ask('check', studio, { purchase_code: text })).toMatchObject({ reason: 'in_text' })
  expect(await ada.ask('check', studio, { purchase_code: 'other@example.com' })).toMatchObject({
    reason: 'not_found',
    customer: null,
  })
})

test('the console and its exports show the customer, and the API does not', async () => {
  const { purchase } = await ada.ask('getPurchase', studio, { purchase_code: first })
  const customer = {
    customer_name: 'Élodie Durand',
    customer_email: 'elodie@example.com',
    order: '#1001',
    note,
  }
  expect(purchase).toMatchObject(customer)
  const { text } = await ada.call('exportPurchases', studio, { format: 'ndjson' })
  const lines = text.split('\n').filter(Boolean)
  expect(lines.map((line) => JSON.parse(line)).find((line) => line.purchase_code === first)).toMatchObject(
    customer,
  )
  expect((await service.load(sales)).counts.purchase).toEqual({ created: 0, updated: 0, unchanged: 3 })
  for (const shape of ['base', 'extended']) {
    const { status, text } = await validate(first, shape)
    expect([status, text]).toEqual([200, expect.not.stringMatching(/lodie|1001|VIP/)])
  }
})

test('an edit changes the fields that it names, and its history has their names', async () => {
  const edit = (changes: object, before: object) =>
    ada.ask('editPurchase', studio, { purchase_code: jose, changes, before } as never)
  const stored = async () => (await ada.ask('getPurchase', studio, { purchase_code: jose })).purchase
  const was = await stored()
  const before = await ada.ask('getSales', studio, { period: '90d', timezone: 'UTC' })
  expect(await edit({ price: '12,5' }, { price: 10 })).toMatchObject({
    stored: false,
    problems: [{ field: 'price' }],
  })
  expect(await edit({ customer_email: 'nobody' }, was)).toMatchObject({
    problems: [{ field: 'customer_email' }],
  })
  expect(await edit({ state: 'refunded' }, { state: 'active' })).toMatchObject({
    problems: [{ field: 'state' }],
  })
  expect(await stored()).toEqual(was)
  const changes = {
    price: '12.50',
    license_type: 'Extended',
    date: '2026-02-02T08:00:00Z',
    supported_until: '2027-02-02T08:00:00Z',
    customer_email: 'Jose@Example.com',
    note: 'Called.',
  }
  const read = { ...was }
  expect(await edit(changes, read)).toEqual({ stored: true, problems: [], conflicts: {} })
  expect(await stored()).toEqual({ ...was, ...changes, price: 12.5, customer_email: 'jose@example.com' })
  // As another tab that read it before.
  expect(await edit({ note: 'Wrote.', order: '12' }, read)).toEqual({
    stored: false,
    problems: [],
    conflicts: { note: 'Called.' },
  })
  expect(await edit({ order: '12' }, read)).toMatchObject({ stored: true })
  expect(await found('wrote')).toEqual([])
  expect(await found('called jose@')).toEqual([jose])
  const { history } = await ada.ask('getPurchase', studio, { purchase_code: jose })
  expect(history.changes.map(({ fields }) => fields)).toEqual([['order'], Object.keys(changes)])
  const after = await ada.ask('getSales', studio, { period: '90d', timezone: 'UTC' })
  const sold = ({ currencies }: typeof after) => currencies.find(({ currency }) => currency === 'USD')?.total
  expect(Number(sold(after)?.sales_amount ?? 0) - Number(sold(before)?.sales_amount ?? 0)).toBe(
    sold(before) ? 2.5 : 0,
  )
  const entries = await service.database.read(`SELECT * FROM "AuditEntry" WHERE "action" = 'purchase.edited'`)
  expect(entries).toHaveLength(2)
  expect(
    JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  ).not.toMatch(/jose|called/i)
})

test('an erased customer leaves purchases that validate, and no word', async () => {
  const bob = createBrowser(service.url)
  await bob.signIn('bob')
  const email = ' elodie@EXAMPLE.com'
  expect(await bob.ask('eraseCustomer', { slug: 'bob-works' }, { email })).toEqual({ purchases: 0 })
  expect(await ada.ask('eraseCustomer', studio, { email })).toEqual({ purchases: 2 })
  expect(await ada.ask('eraseCustomer', studio, { email })).toEqual({ purchases: 0 })
  const { purchase, history } = await ada.ask('getPurchase', studio, { purchase_code: first })
  expect(purchase).toMatchObject({ customer_name: null, customer_email: null, order: null, note: null })
  expect(history.changes).toMatchObject([
    { state: 'active', fields: ['customer_name', 'customer_email', 'order', 'note'] },
  ])
  expect((await words()).map(({ code }) => code)).not.toContain(first)
  expect(new Set((await words()).map(({ code }) => code))).toEqual(new Set([jose]))
  expect((await validate(first)).status).toBe(200)
  await ada.call('removePurchase', studio, { purchase_code: jose })
  expect(await words()).toEqual([])
  expect(JSON.stringify(await ada.ask('listActivity', studio, {}))).not.toContain('example.com')
  expect(service.logs.join('')).not.toMatch(/elodie|jose/i)
})
