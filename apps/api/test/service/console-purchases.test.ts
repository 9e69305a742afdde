import { ItemBaseSchema, ItemExtendedSchema, operations, PurchaseBaseSchema } from '@saleproof/schema'
import type { ConsoleRequests, ItemSort } from '@saleproof/schema/console'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportRecords } from '../../src/import-export/export.ts'
import { type Browser, createBrowser, errorOf, password, salesChoices } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { boundKey, codes, expiredKey, records, revokedKey, secretKey } from '../support/records.ts'

const kinds = ['image', 'video', 'audio'] as const
const image = records.find((record) => (record as { id?: number }).id === 101)!

const item = (index: number) => ({
  ...image,
  workspace: 'lisboa',
  id: 1000 + index,
  name: ['Ícones', 'zebra', 'Apple', 'ícone 50% _off'][index % 4] + (index < 4 ? '' : ` ${index}`),
  category: ['graphics', 'Áudio', 'vídeo'][index % 3],
  tags: index === 7 ? ['Rústico'] : [],
  published_at: new Date(Date.UTC(2024, 0, 1 + (index % 5))).toISOString(),
})

const sale = (index: number) => ({
  type: 'purchase' as const,
  item: 1000 + (index % 3),
  purchase_code: `SALE-${String(index).padStart(4, '0')}-ABCD`,
  license_type: index % 10 === 9 ? 'Extended' : 'Regular',
  price: 10,
  currency: 'USD',
  supported_until: null,
  downloaded: false,
  // Many at the same time, so that the code decides.
  date: new Date(Date.UTC(2025, 0, 1 + Math.floor(index / 25))).toISOString(),
  state: index % 7 === 6 ? 'refunded' : index % 20 === 1 ? 'revoked' : 'active',
})

const sales = Array.from({ length: 130 }, (_, index) => sale(index))
const lisboa = { slug: 'lisboa' }

/** Values as a cursor holds them. */
const sealed = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
const studio = { slug: 'ada-studio' }

let service: TestService
let ada: Browser
beforeAll(async () => {
  const withPasswords = records.map((record) =>
    (record as { type: string }).type === 'account' ? { ...record, password } : record,
  )
  const items = Array.from({ length: 60 }, (_, index) => item(index))
  const odd = {
    ...sale(500),
    purchase_code: '=cmd|calc',
    license_type: 'Say "hi", you',
    state: 'active',
    date: '2020-01-01T00:00:00Z',
  }
  service = await startService({
    records: [...withPasswords, ...items, ...sales, odd],
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service.close())

async function allItems(request: ConsoleRequests['listItems']) {
  const found: { id: number; name: string; published_at: string }[] = []
  let cursor: string | null | undefined
  do {
    const page = await ada.ask('listItems', lisboa, { limit: '7', ...request, ...(cursor && { cursor }) })
    found.push(...page.items)
    cursor = page.next_cursor
    expect(page.items.length).toBe(cursor ? 7 : page.items.length)
    if (found.length >= page.total) expect([cursor, found.length]).toEqual([null, page.total])
  } while (cursor)
  return found
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

describe('items', () => {
  test('are paged in every order, each item once', async () => {
    for (const sort of ['-published_at', 'published_at', 'name', '-name', 'id', '-id'] as const) {
      const found = await allItems({ sort })
      expect(new Set(found.map(({ id }) => id)).size).toBe(61)
      const key = (one: (typeof found)[number]) =>
        sort.endsWith('name') ? folded(one.name) : sort.endsWith('id') ? one.id : one.published_at
      const sign = sort.startsWith('-') ? -1 : 1
      const sorted = found.toSorted((a, b) => {
        const [one, other] = [key(a), key(b)]
        return sign * (one < other ? -1 : one > other ? 1 : a.id - b.id)
      })
      expect(
        found.map(({ id }) => id),
        sort,
      ).toEqual(sorted.map(({ id }) => id))
    }
  })

  test('are found by a part of the name in any case', async () => {
    expect((await allItems({ search: 'ICONES' })).length).toBe(15)
    expect((await allItems({ search: 'rustico' })).map(({ id }) => id)).toEqual([1007])
    expect((await allItems({ search: '50% _' })).length).toBe(15)
    expect((await allItems({ search: '1033' })).map(({ id }) => id)).toEqual([1033])
    expect(await allItems({ search: 'nothing is called this' })).toEqual([])
    expect((await allItems({ category: 'Áudio', kind: 'image' })).length).toBe(20)
    expect(await allItems({ kind: 'audio' })).toEqual([])
  })

  test('list the categories', async () => {
    const { categories } = await ada.ask('listItems', lisboa, { search: 'zebra' })
    expect(categories).toEqual([
      { category: 'Áudio', items: 20 },
      { category: 'graphics', items: 21 },
      { category: 'vídeo', items: 20 },
    ])
  })

  test('show both shapes', async () => {
    const detail = await ada.ask('getItem', { ...studio, id: '101' })
    expect(v.parse(ItemBaseSchema, detail.base)).toEqual(detail.base)
    expect(v.parse(ItemExtendedSchema, detail.extended)).toEqual(detail.extended)
    expect(detail).toMatchObject({ item: { id: 101, kind: 'image' }, purchases: { count: 4, more: false } })
    for (const id of ['301', '201', '999', 'x', '0', '1e3'])
      expect(errorOf(await ada.call('getItem', { ...studio, id }))).toEqual([404, { code: 'not_found' }])
    expect(kinds).toContain(detail.item.kind)
  })

  test('reject the cursor of another list', async () => {
    const { next_cursor: byId } = await ada.ask('listItems', lisboa, { sort: 'id', limit: '5' })
    for (const cursor of ['x', byId!, Buffer.from('[1]').toString('base64url')])
      expect(errorOf(await ada.call('listItems', lisboa, { sort: '-published_at', cursor }))).toEqual([
        422,
        { code: 'invalid', fields: { cursor: 'cursor' } },
      ])
  })

  test('do not take forged values for database errors', async () => {
    const refused = [422, { code: 'invalid', fields: { cursor: 'cursor' } }]
    const forged: [sort: ItemSort, values: unknown][] = [
      ['-published_at', [{ at: 1e300 }, 101]],
      ['-published_at', [{ at: -8.64e15 }, 101]],
      ['-published_at', [{ at: 0 }, 'x']],
      ['-published_at', [{ at: 0 }, 1.5]],
      ['name', ['a\0', 101]],
      ['name', [5, 101]],
      ['id', ['x', 101]],
    ]
    for (const [sort, values] of forged)
      expect(errorOf(await ada.call('listItems', lisboa, { sort, cursor: sealed(values) }))).toEqual(refused)
    for (const values of [
      [{ at: 8.64e15 + 2 }, 'x'],
      [{ at: 0 }, 'a\0'],
      [{ at: 0 }, 5],
    ])
      expect(errorOf(await ada.call('searchPurchases', lisboa, { cursor: sealed(values) }))).toEqual(refused)
    expect(errorOf(await ada.call('listKeys', { slug: 'lisboa\0' }))).toEqual([404, { code: 'not_found' }])
  })
})

async function search(request: ConsoleRequests['searchPurchases']) {
  const found: string[] = []
  let cursor: string | null | undefined
  let total: unknown
  do {
    const page = await ada.ask('searchPurchases', lisboa, { limit: 9, ...request, ...(cursor && { cursor }) })
    if (!cursor) total = page.total
    else expect(page.total).toBeNull()
    found.push(...page.purchases.map((one) => one.purchase_code))
    cursor = page.next_cursor
  } while (cursor)
  expect(total).toEqual({ count: found.length, more: false })
  return found
}

const expected = (fits: (one: ReturnType<typeof sale>) => boolean) =>
  sales
    .filter(fits)
    .toSorted((a, b) =>
      a.date !== b.date ? (a.date < b.date ? 1 : -1) : a.purchase_code < b.purchase_code ? 1 : -1,
    )
    .map((one) => one.purchase_code)

describe('purchases', () => {
  const from = '2025-01-02T00:00:00+00:00'
  test.each<[string, ConsoleRequests['searchPurchases'], (one: ReturnType<typeof sale>) => boolean]>([
    ['of an item', { item_id: 1001 }, (one) => one.item === 1001],
    ['refunded', { state: 'refunded' }, (one) => one.state === 'refunded'],
    [
      'active, of an item',
      { state: 'active', item_id: 1002 },
      (one) => one.state === 'active' && one.item === 1002,
    ],
    [
      'revoked, of an item',
      { state: 'revoked', item_id: 1001 },
      (one) => one.state === 'revoked' && one.item === 1001,
    ],
    ['of a license', { license_type: 'Extended' }, (one) => one.license_type === 'Extended'],
    ['from', { from }, (one) => one.date >= '2025-01-02T00:00:00.000Z'],
    ['to', { from: '2025-01-01T00:00:00Z', to: from }, (one) => one.date < '2025-01-02T00:00:00.000Z'],
    [
      'all of it',
      { state: 'active', license_type: 'Regular', from, to: '2025-01-04T00:00:00Z' },
      (one) =>
        one.state === 'active' &&
        one.license_type === 'Regular' &&
        one.date >= '2025-01-02' &&
        one.date < '2025-01-04',
    ],
  ])('%s are found, newest first, each once', async (_, request, fits) => {
    const found = await search({ from: '2024-01-01T00:00:00Z', ...request })
    expect(found.length).toBeGreaterThan(0)
    expect(found).toEqual(expected(fits))
  })

  test('are found by a code as it was pasted', async () => {
    for (const code of ['SALE-0001-ABCD', ' SALE\u20130001\u2013ABCD\u200b '])
      expect(await search({ search: code })).toEqual(['SALE-0001-ABCD'])
    expect(await search({ search: 'SALE-0001-ABCD', item_id: 1000 })).toEqual([])
    expect(await search({ search: codes.active })).toEqual([])
    const detail = await ada.ask('getPurchase', studio, { purchase_code: codes.active })
    expect(v.parse(PurchaseBaseSchema, detail.base)).toEqual(detail.base)
    expect(detail.purchase).toMatchObject({ state: 'active', supported_until: '2025-04-27T12:00:00Z' })
    expect(errorOf(await ada.call('getPurchase', studio, { purchase_code: codes.others }))).toEqual([
      404,
      { code: 'not_found' },
    ])
  })

  const validate = async (purchase_code: string) =>
    service.request({
      method: 'POST',
      path: operations.validatePurchase.path,
      headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ purchase_code }),
    })

  test('are refunded and reinstated, at once for the API', async () => {
    const purchase_code = codes.extendedLicense
    expect((await validate(purchase_code)).status).toBe(200)
    expect((await ada.ask('setPurchaseState', studio, { purchase_code, state: 'refunded' })).state).toBe(
      'refunded',
    )
    expect((await validate(purchase_code)).headers['x-error-code']).toBe('purchase_not_active')
    await ada.ask('setPurchaseState', studio, { purchase_code, state: 'refunded' })
    expect((await ada.ask('setPurchaseState', studio, { purchase_code, state: 'active' })).state).toBe(
      'active',
    )
    expect((await validate(purchase_code)).status).toBe(200)
    const entries = await service.database.prisma.auditEntry.findMany({
      where: { action: 'purchase.changed' },
    })
    expect(entries).toHaveLength(2)
    expect(JSON.stringify(entries.map(({ subject }) => subject))).not.toContain(purchase_code)
  })

  test('are exported as NDJSON that can be imported', async () => {
    const { headers, text } = await ada.call('exportPurchases', lisboa, {
      format: 'ndjson',
      state: 'revoked',
    })
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="lisboa-purchases-\d{4}-\d\d-\d\d\.ndjson"$/,
    )
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map((line) => line.purchase_code)).toEqual(expected((one) => one.state === 'revoked'))
    expect((await service.load(lines)).counts.purchase).toEqual({
      created: 0,
      updated: 0,
      unchanged: lines.length,
    })
  })

  test('are exported as NDJSON with the fields of an export of the database', async () => {
    const refunded = sales.find(({ state }) => state === 'active')?.purchase_code ?? ''
    await ada.ask('setPurchaseState', lisboa, { purchase_code: refunded, state: 'refunded' })
    const { text } = await ada.call('exportPurchases', lisboa, { format: 'ndjson' })
    let all = ''
    await exportRecords(service.opened, (piece) => {
      all += piece
    })
    const exported = text.trimEnd().split('\n')
    expect(all.split('\n')).toEqual(expect.arrayContaining(exported))
    expect(exported.find((line) => line.includes(refunded))).toContain('"refunded_at":"')
    await ada.ask('setPurchaseState', lisboa, { purchase_code: refunded, state: 'active' })
  })

  test('are exported as CSV without formulas', async () => {
    const { text } = await ada.call('exportPurchases', lisboa, { format: 'csv' })
    const [head, ...rows] = text.split('\r\n')
    expect(head).toBe(
      '\ufeff"purchase_code","license_type","price","currency","item_id","item_name","supported_until","downloaded","date","state","refunded_at","customer_name","customer_email","order","note"',
    )
    expect(rows).toHaveLength(sales.length + 3)
    expect(rows.at(-1)).toBe('')
    expect(text).toContain(
      `"'=cmd|calc","Say ""hi"", you","10","USD","1002","Apple",,"false","2020-01-01T00:00:00Z","active",,,,,\r\n`,
    )
    const none = await ada.call('exportPurchases', lisboa, { format: 'csv', license_type: 'None' })
    expect(none.text).toBe(`${head}\r\n`)
  })

  test('are exported as CSV that an import reads back, whatever their texts hold', async () => {
    const names = ['a\n=1+1', '@x', "'=quoted", 'a\r\n\t=2', '\uff1dwide', 'plain, "text"']
    const made = names.map((license, index) => ({
      ...sale(600 + index),
      purchase_code: `ODD0-TEXT-000${index}-ABCD`,
      license_type: license,
      date: '2019-01-01T00:00:00Z',
      state: 'active' as const,
    }))
    await ada.ask('importRecords', lisboa, { records: made })
    const { text } = await ada.call('exportPurchases', lisboa, { format: 'csv', to: '2019-06-01T00:00:00Z' })
    const file = new Blob([text])
    const preview = await ada.ask('previewSales', lisboa, { file, choices: {} })
    const { counts } = await ada.ask('importSales', lisboa, { file, choices: salesChoices(preview) })
    expect(counts.purchases).toEqual({ created: 0, updated: 0, unchanged: made.length })
    // No line of the file begins with a formula, not even inside a cell.
    expect(text.split(/[\r\n]/).filter((line) => /^[=+@\t\uff1d-]/.test(line))).toEqual([])
  })
})

describe('why a code fails', () => {
  const check = (purchase_code: string, key_id?: string) =>
    ada.ask('check', studio, { purchase_code, ...(key_id !== undefined && { key_id }) })

  test.each([
    [codes.active, 'valid', 200],
    [` ${codes.active.replaceAll('-', '\u2013')}\u200b`, 'valid_as_paste', 200],
    [codes.refunded, 'refunded', 404],
    [codes.revoked, 'revoked', 404],
    [codes.portuguese, 'other_workspace', 404],
    [codes.others, 'not_found', 404],
    [codes.active.slice(0, 9), 'cut_off', 404],
    ['AAAA', 'too_short', 404],
    ['no such code at all', 'not_found', 404],
    [' \n', 'empty', 400],
    ['x'.repeat(256), 'too_long', 400],
    ['a\0b', 'malformed', 400],
  ])('%j: %s', async (code, reason, status) => {
    const found = await check(code)
    expect([found.reason, found.responses.en.status, found.responses.pt.status]).toEqual([
      reason,
      status,
      status,
    ])
    expect(found.other_workspace).toBe(reason === 'other_workspace' ? 'lisboa' : null)
  })

  test.each([
    [`Hello, my code is "${codes.active}". Thanks!`, 'in_text'],
    [`${codes.active}.`, 'in_text'],
    [`https://shop.example.com/download?code=${codes.active}&lang=en`, 'in_text'],
    [codes.active.replaceAll('-', ''), 'other_dashes'],
    [`code: ${codes.active.replaceAll('-', ' ')}\nplease help`, 'other_dashes'],
    [codes.active.replace('1111', '11l1'), 'typo'],
    [codes.active.replace('image', 'imag'), 'typo'],
    [`“${codes.active.replace('active', 'actvie')}”`, 'typo'],
    [codes.active.replaceAll('-', '').replace('1111', '1I11'), 'typo'],
    [codes.active.replace('1111', '1Il1'), 'typo'],
    [codes.active.replace('-1111', ''), 'cut_off'],
    ['1111 active image', 'cut_off'],
    ['I see only 1111-ACTIVE-IMAGE.', 'cut_off'],
    [`${'a long letter '.repeat(30)} ${codes.active}`, 'in_text'],
  ])('finds the code that is meant by %j: %s', async (pasted, reason) => {
    const found = await check(pasted)
    expect([found.reason, found.purchase?.purchase_code]).toEqual([reason, codes.active])
    // The API's response to customers' programs stays as it is.
    expect(found.responses.en.status).toBe(pasted.length > 255 ? 400 : 404)
  })

  test('what fits several codes finds none of them, a short end that fits one finds it', async () => {
    const code = 'LAST-SALE-PLMN-QR7V'
    await ada.ask('importRecords', lisboa, {
      records: [{ ...sale(0), purchase_code: code, state: 'active' }],
    })
    const find = async (text: string) =>
      (await ada.ask('check', lisboa, { purchase_code: text })).purchase?.purchase_code
    for (const text of ['SALE-ABCD', 'the end is 0003-abcd or 0004-abcd', 'SALE-00X4-ABCD'])
      expect([text, await find(text)]).toEqual([text, undefined])
    for (const text of ['the last characters are QR7V', 'ends in qr7v!', 'I only see LAST, sorry'])
      expect([text, await find(text)]).toEqual([text, code])
  })

  test('never finds a code of another owner', async () => {
    for (const pasted of [`it is ${codes.others}.`, codes.others.replaceAll('-', ''), `${codes.others}x`]) {
      expect(await check(pasted)).toMatchObject({ reason: 'not_found', purchase: null })
    }
  })

  test('recognises a pasted API key, and repeats no character of it', async () => {
    const found = await check(`my key is ${secretKey}`)
    expect([found.reason, found.purchase]).toEqual(['api_key', null])
    expect(JSON.stringify(found)).not.toContain(secretKey.slice(0, 12))
  })

  test('recognises another case', async () => {
    for (const pasted of ['sale-0003-abcd', 'it is “sale-0003-abcd”.', 'sale 0003 abcd', 'sale0003abcd']) {
      const found = await ada.ask('check', lisboa, { purchase_code: pasted })
      const expected = /^[^-]*$/.test(pasted) ? 'other_dashes' : 'other_case'
      expect([pasted, found.reason]).toEqual([pasted, expected])
      expect(found.purchase?.purchase_code).toBe('SALE-0003-ABCD')
    }
  })

  test('shows the API response, header for header', async () => {
    for (const code of [codes.active, codes.refunded, 'no such code at all', ' ', 'x'.repeat(300)]) {
      const { responses } = await check(code)
      for (const locale of ['en', 'pt'] as const) {
        const real = await service.request({
          method: 'POST',
          path: operations.validatePurchase.path,
          headers: { 'x-api-key': secretKey, 'content-type': 'application/json', 'accept-language': locale },
          body: JSON.stringify({ purchase_code: code }),
        })
        expect([responses[locale].status, responses[locale].body]).toEqual([
          real.status,
          JSON.parse(real.text),
        ])
        expect(real.headers).toMatchObject(responses[locale].headers)
      }
    }
  })

  test('as a key sees it', async () => {
    const { keys } = await ada.ask('listKeys', studio)
    const id = (name: string) => keys.find((key) => key.name === name)!.id
    for (const [name, key, code, reason] of [
      ['plugin of 101', boundKey, codes.active, 'valid'],
      ['plugin of 101', boundKey, codes.video, 'other_item'],
      ['old', expiredKey, codes.active, 'key_expired'],
      ['leaked', revokedKey, codes.active, 'key_revoked'],
    ] as const) {
      const found = await check(code, id(name))
      expect(found.reason).toBe(reason)
      const real = await service.request({
        method: 'POST',
        path: operations.validatePurchase.path,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ purchase_code: code }),
      })
      expect([found.responses.en.status, found.responses.en.headers['x-error-code']]).toEqual([
        real.status,
        real.headers['x-error-code'],
      ])
    }
  })

  test('counts nothing', async () => {
    const before = await service.opened.usage.lastUses()
    await check(codes.active)
    expect(await service.opened.usage.lastUses()).toEqual(before)
  })
})

test('a long response is compressed if the browser accepts that, and never cached', async () => {
  const ask = (encoding: string) =>
    ada.call('listItems', lisboa, {}, { headers: { 'accept-encoding': encoding } })
  const [plain, compressed] = [await ask('identity'), await ask('gzip, deflate, br, zstd')]
  expect(compressed.headers['content-encoding']).toBe('br')
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(compressed.text).toBe(plain.text)
  expect(Number(compressed.headers['content-length'])).toBeLessThan(
    Number(plain.headers['content-length']) / 4,
  )
  for (const { headers } of [plain, compressed]) expect(headers['cache-control']).toBe('no-store')
})
