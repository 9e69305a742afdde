import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportRecords } from '../../src/import-export/export.ts'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { boundKey, codes, portugueseKey, records, secretKey } from '../support/records.ts'

const studio = { slug: 'ada-studio' }

let service: TestService
let ada: Browser
beforeAll(async () => {
  const withPasswords = records.map((record) =>
    'username' in record && record.username === 'ada' ? { ...record, password } : record,
  )
  service = await startService({ records: withPasswords })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service?.close())

const get = (path: string, headers: object = {}, key: string = secretKey) =>
  service.request({ path, headers: { 'x-api-key': key, ...headers } })
const item = (id: number, shape = 'base') => get(`${operations.getItem.path}?item_id=${id}&shape=${shape}`)
const list = (key?: string) => get(operations.listItems.path, {}, key)
const listed = async () => JSON.parse((await list()).text).items.map(({ id }: { id: number }) => id)
const validate = (code: string, shape: string, key: string = secretKey) =>
  service.request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code, shape }),
  })

async function exported(id: number): Promise<Record<string, unknown>> {
  let text = ''
  await exportRecords(service.opened, (piece) => {
    text += piece
  })
  const lines = text.split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).find((record) => record.type === 'item' && record.id === id)
}

const audited = async () => {
  const entries = await service.database.prisma.auditEntry.findMany({ orderBy: { number: 'asc' } })
  return entries
    .filter(({ action }) => action.startsWith('item.'))
    .map(({ action, subject, actor }) => `${action} ${subject} ${actor.split(':')[0]}`)
}

test('leaves both item operations and comes back with the same bytes, while its purchases validate', async () => {
  const [before, wholeList] = [await item(101), await list()]
  const sold = [await validate(codes.active, 'base'), await validate(codes.active, 'extended')]
  expect([before.status, wholeList.status, ...sold.map(({ status }) => status)]).toEqual([200, 200, 200, 200])

  const withdrawn = await ada.ask('withdrawItem', { ...studio, id: '101' })
  expect(withdrawn.withdrawn_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  // Twice: the second time from what is cached.
  for (const _ of [1, 2]) {
    for (const shape of ['base', 'extended']) {
      const { status, headers, text } = await item(101, shape)
      const unknown = await item(999, shape)
      expect([status, headers['x-error-code'], text]).toEqual([404, 'item_not_found', unknown.text])
    }
    expect(await listed()).toEqual([9007199254740991, 102])
    expect((await validate(codes.active, 'base')).text).toBe(sold[0]?.text)
    expect((await validate(codes.active, 'extended')).text).toBe(sold[1]?.text)
    expect((await validate(codes.active, 'base', boundKey)).status).toBe(200)
  }
  const tag = { 'if-none-match': String(wholeList.headers.etag) }
  expect((await get(operations.listItems.path, tag)).status).toBe(200)

  expect((await ada.ask('restoreItem', { ...studio, id: '101' })).withdrawn_at).toBeNull()
  const [again, listAgain] = [await item(101), await list()]
  expect([again.text, again.headers.etag]).toEqual([before.text, before.headers.etag])
  expect([listAgain.text, listAgain.headers.etag]).toEqual([wholeList.text, wholeList.headers.etag])
})

test('is recorded once, however often it is asked for', async () => {
  const from = (await audited()).length
  const [first, second] = [
    await ada.ask('withdrawItem', { ...studio, id: '102' }),
    await ada.ask('withdrawItem', { ...studio, id: '102' }),
  ]
  expect(second).toEqual(first)
  for (const _ of [1, 2]) await ada.ask('restoreItem', { ...studio, id: '102' })
  expect((await audited()).slice(from)).toEqual(['item.withdrawn 102 console', 'item.restored 102 console'])
})

test('is exported, and an import takes it back', async () => {
  expect(await exported(102)).not.toHaveProperty('withdrawn_at')
  const { withdrawn_at: at } = await ada.ask('withdrawItem', { ...studio, id: '102' })
  const record = await exported(102)
  expect(record.withdrawn_at).toBe(at)
  expect((await service.load([record])).counts.item).toEqual({ created: 0, updated: 0, unchanged: 1 })
  // A file that knows nothing of it changes nothing about it.
  const { withdrawn_at: _, ...silent } = record
  expect((await service.load([silent])).counts.item).toEqual({ created: 0, updated: 0, unchanged: 1 })
  await service.load([{ ...silent, withdrawn_at: null }])
  expect(await listed()).toEqual([9007199254740991, 102, 101])
  await service.load([record])
  expect(await listed()).toEqual([9007199254740991, 101])
  await ada.ask('restoreItem', { ...studio, id: '102' })
})

test('sales of it can be recorded, refunded and reinstated', async () => {
  await ada.ask('withdrawItem', { ...studio, id: '101' })
  const sale = {
    type: 'purchase' as const,
    item: 101,
    purchase_code: 'SOLD-AFTER-WITHDRAWAL',
    license_type: 'Regular',
    price: 5,
    currency: 'USD',
    downloaded: false,
    date: '2026-01-01T00:00:00Z',
  }
  expect((await ada.ask('importRecords', studio, { records: [sale] })).stored).toBe(true)
  const statuses = [(await validate(sale.purchase_code, 'base')).status]
  for (const state of ['refunded', 'active'] as const) {
    await ada.ask('setPurchaseState', studio, { purchase_code: sale.purchase_code, state })
    statuses.push((await validate(sale.purchase_code, 'base')).status)
  }
  expect(statuses).toEqual([200, 404, 200])
  await ada.ask('restoreItem', { ...studio, id: '101' })
})

test('stays in the console, which lists either kind', async () => {
  await ada.ask('withdrawItem', { ...studio, id: '102' })
  const ids = async (state?: 'listed' | 'withdrawn') => {
    const { items, total } = await ada.ask('listItems', studio, state && { state })
    expect(total).toBe(items.length)
    return items.map(({ id }) => id)
  }
  expect(await ids()).toEqual([9007199254740991, 102, 101])
  expect(await ids('listed')).toEqual([9007199254740991, 101])
  expect(await ids('withdrawn')).toEqual([102])
  const { item, base } = await ada.ask('getItem', { ...studio, id: '102' })
  expect([item.withdrawn_at === null, base.id]).toEqual([false, 102])
  await ada.ask('restoreItem', { ...studio, id: '102' })
  expect(await ids('withdrawn')).toEqual([])
})

test('the last one leaves an empty list', async () => {
  const lisboa = { slug: 'lisboa', id: '301' }
  expect((await list(portugueseKey)).status).toBe(200)
  await ada.ask('withdrawItem', lisboa)
  const { status, headers } = await list(portugueseKey)
  expect([status, headers['x-error-code']]).toEqual([404, 'no_items'])
  await ada.ask('restoreItem', lisboa)
  expect((await list(portugueseKey)).status).toBe(200)
})

test('the items of others are not found', async () => {
  for (const name of ['withdrawItem', 'restoreItem'] as const)
    for (const id of ['201', '999', 'x'])
      expect(errorOf(await ada.call(name, { ...studio, id }))).toEqual([404, { code: 'not_found' }])
  expect((await get(`${operations.getItem.path}?item_id=101`)).status).toBe(200)
})
