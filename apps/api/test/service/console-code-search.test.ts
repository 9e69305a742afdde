import type { ConsoleRequests } from '@saleproof/schema/console'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PurchaseFilters } from '../../src/console/purchases/candidates.ts'
import { isPartOfCode } from '../../src/console/purchases/code-part.ts'
import { isOfCustomer } from '../../src/console/purchases/customers.ts'
import { createPurchaseList } from '../../src/console/purchases/purchase-list.ts'
import type { Read } from '../../src/db/database.ts'
import { type Browser, createBrowser, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records } from '../support/records.ts'

const image = records.find((record) => 'id' in record && record.id === 101)
const workspace = (slug: string, owner = 'ada') => ({ type: 'workspace', slug, name: slug, owner })
const item = (slug: string, id: number) => ({ ...image, workspace: slug, id })

const sale = (itemId: number, code: string, index: number) => ({
  type: 'purchase',
  item: itemId,
  purchase_code: code,
  license_type: 'Regular',
  price: 10,
  currency: 'USD',
  downloaded: false,
  date: new Date(Date.UTC(2025, 0, 1) + Math.floor(index / 3) * 60_000).toISOString(),
  state: index % 5 === 4 ? 'refunded' : 'active',
})

const mixed = [
  'AbCd-1111-wXyZ',
  'ABCD-2222-WXYZ',
  'abcd-3333-wxyz',
  'ABCD-4444-0000',
  '0000-5555-WXYZ',
  'XABCD-6666-WXYZX',
  'abcd',
  'wxyz',
  'abc',
  'É\u00e9😀ç-7777-ção😀',
  '%_?\\-8888-$1?%',
  "' OR 1=1 --",
  'ABCD-9999-WXYZ',
]
/** More sales than are searched at a time, whose codes all begin and end with the same characters. */
const manyCount = 10_100
const codeOfMany = (index: number) => `SHOP-${String(index).padStart(6, '0')}-SOLD`
const many = Array.from({ length: manyCount }, (_, index) => ({
  ...sale(index < 50 ? 9003 : 9002, codeOfMany(index), index),
  license_type: index === 3 ? 'Lifetime' : 'Regular',
  // One first name is of most, one last name of the oldest alone.
  customer_name: `${index % 100 === 7 ? 'Élodie' : 'Maria'} ${index < 60 ? 'Zarco' : 'Dias'}`,
}))

let service: TestService
let ada: Browser
beforeAll(async () => {
  const withPasswords = records.map((record) => ('username' in record ? { ...record, password } : record))
  service = await startService({
    records: [
      ...withPasswords,
      workspace('mixed'),
      workspace('others', 'bob'),
      workspace('many'),
      item('mixed', 9000),
      item('others', 9001),
      item('many', 9002),
      item('many', 9003),
      ...mixed.map((code, index) => sale(9000, code, index)),
      sale(9001, 'ABCD-OTHER-WXYZ', 0),
      ...many,
    ],
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service?.close())

/** All pages of a search, and how many they were. */
async function search(slug: string, request: ConsoleRequests['searchPurchases']) {
  const codes: string[] = []
  const pages = [await ada.ask('searchPurchases', { slug }, request)]
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
    pages.push(await ada.ask('searchPurchases', { slug }, { ...request, cursor }))
  for (const { purchases } of pages) codes.push(...purchases.map((purchase) => purchase.purchase_code))
  return { codes, pages: pages.length, total: pages[0]?.total }
}

const found = async (text: string, more: object = {}) =>
  (await search('mixed', { search: text, limit: 2, ...more })).codes

/** What a search has to find. */
function expected(text: string): string[] {
  if (mixed.includes(text)) return [text]
  const spellings = [text, text.toUpperCase(), text.toLowerCase()]
  const isPart = (code: string) => spellings.some((part) => code.startsWith(part) || code.endsWith(part))
  return mixed.filter((code) => [...text].length >= 4 && isPart(code))
}

test('any part of a code finds what begins or ends with it, each once', async () => {
  const part = fc
    .constantFrom(...mixed)
    .chain((code) => {
      const characters = [...code]
      return fc.tuple(fc.constant(characters), fc.nat(characters.length), fc.nat(characters.length))
    })
    .map(([characters, one, other]) => characters.slice(Math.min(one, other), Math.max(one, other)).join(''))
    .filter((text) => text.trim() === text && text !== '')
  const typed = fc
    .tuple(part, fc.constantFrom('as is', 'upper', 'lower'))
    .map(([text, way]) =>
      way === 'upper' ? text.toUpperCase() : way === 'lower' ? text.toLowerCase() : text,
    )
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      expect((await found(text)).sort()).toEqual(expected(text).sort())
    }),
    { numRuns: 150 },
  )
})

test.each([
  {},
  { item_id: 9002 },
  { from: '2025-01-01T00:00:00.000Z' },
  { from: '2025-01-01T00:00:00.000Z', to: '2025-01-03T10:00:00Z' },
  { to: '2025-01-04T00:00:00Z', item_id: 9002 },
] as const)(
  'the sum of %o is that of all, however many they are',
  async (request: ConsoleRequests['searchPurchases']) => {
    const { item_id: id, from = '', to = '3' } = request
    const all = many.filter(
      (each) => (id === undefined || each.item === id) && each.date >= from && each.date < to,
    )
    const { sums } = await ada.ask('searchPurchases', { slug: 'many' }, request)
    expect(sums).toEqual([{ currency: 'USD', amount: `${all.length * 10}.00` }])
  },
)

test.each([
  [{ from: '2025-01-01T00:05:30Z' }, manyCount - 18],
  [{ from: '2025-01-01T00:05:30Z', to: '2025-01-03T08:02:30Z', item_id: 9002 }, manyCount - 50 - 11],
  [{ state: 'active' }, (manyCount * 4) / 5],
  [{ state: 'refunded', item_id: 9003, to: '2025-01-01T00:05:30Z' }, 3],
  [{ license_type: 'Regular' }, manyCount - 1],
  [{ license_type: 'Regular', to: '2025-01-01T00:05:30Z' }, 17],
  [{ search: 'SHOP' }, manyCount],
  [{ search: 'sold', item_id: 9003, license_type: 'Lifetime' }, 1],
  [{ search: 'sold', state: 'refunded' }, manyCount / 5],
] as const)('the sum of %o is added up after the list', async (request, count) => {
  const { sums } = await ada.ask('sumPurchases', { slug: 'many' }, request)
  expect(sums).toEqual([{ currency: 'USD', amount: `${count * 10}.00` }])
})

test.each([
  ['maria', {}],
  ['MAR', { state: 'refunded' }],
  ['élodie', {}],
  ['ÉLOD zarco', {}],
  ['zarco', {}],
  ['maria zar', { item_id: 9003 }],
  ['di maria', { item_id: 9003 }],
  ['dias', { from: '2025-01-01T12:00:00.000Z', to: '2025-01-03T00:00:00.000Z' }],
  ['zarco', { from: '2025-01-03T00:00:00.000Z' }],
  ['maria joana', {}],
] as const)(
  'pages of "%s", with %o, have each purchase once, newest first, and add up',
  async (text, more) => {
    const { database } = service
    const { id } = await database.prisma.workspace.findFirstOrThrow({ where: { slug: 'many' } })
    const filters: PurchaseFilters = { search: [...isPartOfCode(text), ...isOfCustomer(id, text)], ...more }
    const { item_id: itemId, state, from = '', to = '3' } = filters
    const starts = text.toLowerCase().split(' ')
    const matches = many.filter(
      (sale) =>
        starts.every((start) => ` ${sale.customer_name}`.toLowerCase().includes(` ${start}`)) &&
        (itemId === undefined || sale.item === itemId) &&
        (state === undefined || sale.state === state) &&
        sale.date >= from &&
        sale.date < to,
    )
    const list = createPurchaseList({ database })
    const { total, sums } = await (await list.page(id, filters, 900)).totals()
    const codes: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { rows, next } = await list.page(id, { ...filters, ...(cursor && { cursor }) }, 900)
      codes.push(...rows.map(({ code }) => code))
      cursor = next
    }
    expect(codes).toEqual(matches.map((sale) => sale.purchase_code).reverse())
    const paid = matches.length > 0 ? [{ currency: 'USD', amount: `${matches.length * 10}.00` }] : []
    expect(await list.sum(id, filters, () => true)).toEqual(paid)
    if (total.more) expect([total.count <= matches.length, sums]).toEqual([true, null])
    else expect([total.count, sums]).toEqual([matches.length, paid])
  },
)

test('fewer than four characters find only a whole code', async () => {
  expect(await found('abc')).toEqual(['abc'])
  expect(await found('ABC')).toEqual([])
  expect(await found('xyz')).toEqual([])
})

test('filters hold for what is found', async () => {
  const all = await found('wxyz-', {})
  expect(all).toEqual([])
  const refunded = await found('WXYZ', { state: 'refunded' })
  expect(refunded).toEqual(['0000-5555-WXYZ'])
  expect(await found('WXYZ', { item_id: 9001 })).toEqual([])
})

test('a part of most codes pages through them, newest first, without a search of all at once', async () => {
  for (const part of ['SHOP', 'sold', 'SHOP-0']) {
    const first = await ada.ask('searchPurchases', { slug: 'many' }, { search: part, limit: 100 })
    expect(first.purchases.map((purchase) => purchase.purchase_code)).toEqual(
      Array.from({ length: 100 }, (_, index) => codeOfMany(manyCount - 1 - index)),
    )
    expect([first.total, first.sums]).toEqual([{ count: 100, more: true }, null])
  }
})

test('what is rare is found in pages that may be empty', async () => {
  expect(await search('many', { license_type: 'Lifetime' })).toEqual({
    codes: [codeOfMany(3)],
    pages: 3,
    total: { count: 0, more: true },
  })
  // The end of the codes is the same, so it is no help.
  expect((await search('many', { search: '000003-SOLD' })).codes).toEqual([codeOfMany(3)])
  expect(await search('many', { license_type: 'None' })).toMatchObject({ codes: [], pages: 3 })
})

test('a check reads few of the codes that end as the pasted one does: the end of most means none', async () => {
  const check = async (purchase_code: string) => {
    const { reason, purchase } = await ada.ask('check', { slug: 'many' }, { purchase_code })
    return [reason, purchase?.purchase_code]
  }
  expect(await check('SHOP-000003')).toEqual(['cut_off', codeOfMany(3)])
  expect(await check('P-000003-SOLD')).toEqual(['not_found', undefined])
})

test('what an index finds is counted to the end', async () => {
  expect(await search('many', { item_id: 9003, license_type: 'Lifetime' })).toEqual({
    codes: [codeOfMany(3)],
    pages: 1,
    total: { count: 1, more: false },
  })
  expect((await search('many', { search: codeOfMany(77).slice(0, 9), limit: 100 })).total).toEqual({
    count: 100,
    more: false,
  })
  expect((await search('many', { item_id: 9002, state: 'refunded', limit: 100 })).codes).toEqual(
    many
      .filter((one) => one.item === 9002 && one.state === 'refunded')
      .map((one) => one.purchase_code)
      .reverse(),
  )
})

test('SQLite finds codes and the sales of an item by an index, and reads no other purchase of the workspace', async () => {
  const { database, opened } = service
  if (opened.place.kind !== 'sqlite') return
  const plans: { detail: string }[] = []
  const read: Read = async (query, ...values) => {
    plans.push(...(await database.read<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...values)))
    return database.read(query, ...values)
  }
  const list = createPurchaseList({ database: { ...database, read } })
  await list.page(1, { search: isPartOfCode('#100500') }, 50)
  await list.page(1, { item_id: 9003 }, 50)
  const details = plans.map(({ detail }) => detail).join('\n')
  expect(details).toContain('Purchase_end_of_code_idx')
  expect(details).not.toMatch(/PRIMARY KEY \(workspaceId=\?\)/)
})
