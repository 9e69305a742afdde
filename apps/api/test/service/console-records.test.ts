import { setTimeout as delay } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import type { ImportedRecord } from '@saleproof/schema/console'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { beginWriting } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

const studio = { slug: 'ada-studio' }

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

let service: TestService
let ada: Browser
beforeAll(async () => {
  service = await startService({ records: withPasswords, env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})

afterAll(() => service?.close())

const item = (id: number, changes: object = {}) => ({
  type: 'item' as const,
  id,
  kind: 'image' as const,
  name: 'Brush set',
  description: 'Forty brushes.',
  category: 'graphics',
  sub_category: 'brushes',
  options: ['abr'],
  version: '1.0.0',
  demo_link: '',
  tags: ['brush'],
  media: { thumbnail: '', preview_image: 'https://example.com/b.png', screenshots: [] },
  price: { regular: 12.5, extended: '60' },
  currency: 'EUR',
  url: 'https://example.com/brushes',
  support: true,
  published_at: '2016-01-31T12:00:00Z',
  ...changes,
})

const sale = (itemId: number, code: string, changes: object = {}) => ({
  type: 'purchase' as const,
  item: itemId,
  purchase_code: code,
  license_type: 'Regular',
  price: 12.5,
  currency: 'EUR',
  downloaded: false,
  date: '2016-02-01T12:00:00Z',
  ...changes,
})

const none = { created: 0, updated: 0, unchanged: 0 }
const validate = (code: string) =>
  service.request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code }),
  })

describe('records of a workspace', () => {
  test('are stored, and the API answers them at once', async () => {
    const found = await ada.ask('importRecords', studio, {
      records: [item(7001), sale(7001, 'MADE-BY-HAND-0001')],
    })
    expect(found).toEqual({
      stored: true,
      problems: [],
      more: false,
      warnings: [],
      counts: { items: { ...none, created: 1 }, purchases: { ...none, created: 1 } },
    })
    const answer = await validate('MADE-BY-HAND-0001')
    expect([answer.status, JSON.parse(answer.text).data.purchase.item.name]).toEqual([200, 'Brush set'])
    expect((await ada.ask('getItem', { ...studio, id: '7001' })).item.price).toEqual({
      regular: 12.5,
      extended: 60,
    })
  })

  test('change what is stored, unless only new ones are asked for', async () => {
    await ada.ask('importRecords', studio, { records: [item(7002), sale(7002, 'ONLY-NEW-SALE-0001')] })
    const changed = { records: [item(7002, { name: 'Brush set 2' })] }
    expect((await ada.ask('importRecords', studio, changed)).counts.items).toEqual({ ...none, updated: 1 })
    const again = await ada.ask('importRecords', studio, {
      records: [item(7002), sale(7002, 'ONLY-NEW-SALE-0001', { price: 1 })],
      only_new: true,
      locale: 'pt',
    })
    expect([again.stored, again.problems]).toEqual([
      false,
      [
        { line: 1, field: 'id', message: 'já está guardado: escolha outro' },
        { line: 2, field: 'purchase_code', message: 'já está guardado: escolha outro' },
      ],
    ])
    expect((await ada.ask('getItem', { ...studio, id: '7002' })).item.name).toBe('Brush set 2')
  })

  test('are no error when they are sent again because the response was lost', async () => {
    const records = [item(7012), sale(7012, 'SENT-TWICE-SALE-0001')]
    const send = (sent: ImportedRecord[]) =>
      ada.ask('importRecords', studio, { records: sent, only_new: true })
    expect((await send(records)).stored).toBe(true)
    const again = await send(records)
    expect([again.stored, again.counts]).toEqual([
      true,
      { items: { ...none, unchanged: 1 }, purchases: { ...none, unchanged: 1 } },
    ])
    // Others that have the code.
    const others = [sale(7012, 'SENT-TWICE-SALE-0001', { price: 1 }), sale(7002, 'SENT-TWICE-SALE-0001')]
    for (const other of others) expect((await send([other])).problems).toHaveLength(1)
    await ada.ask('setPurchaseState', studio, { purchase_code: 'SENT-TWICE-SALE-0001', state: 'refunded' })
    expect((await send(records)).problems).toHaveLength(1)
  })

  test('a dry run stores nothing, and says what would be stored', async () => {
    const found = await ada.ask('importRecords', studio, { records: [item(7003)], dry_run: true })
    expect([found.stored, found.counts.items]).toEqual([false, { ...none, created: 1 }])
    expect(errorOf(await ada.call('getItem', { ...studio, id: '7003' }))).toEqual([
      404,
      { code: 'not_found' },
    ])
  })

  test('one wrong record, and none is stored', async () => {
    const found = await ada.ask('importRecords', studio, {
      records: [
        item(7004),
        item(7005, { price: { regular: 1.234, extended: 5 } }),
        sale(7004, 'WRONG-DATE-SALE-1', { date: 'yesterday' }),
        sale(7004, 'SHORT'),
      ],
    })
    expect(found.stored).toBe(false)
    expect(found.problems.map(({ line, field }) => [line, field])).toEqual([
      [2, 'price.regular'],
      [3, 'date'],
    ])
    expect(errorOf(await ada.call('getItem', { ...studio, id: '7004' }))).toEqual([
      404,
      { code: 'not_found' },
    ])
  })

  test.each([
    ['an account', { type: 'account', username: 'eve' }, 'type'],
    ['a key', { type: 'api_key', workspace: 'ada-studio', name: 'x', key: 'sp_0123456789abcdef' }, 'type'],
    ['a purchase of another owner’s item', sale(201, 'NOT-MINE-TO-SELL-1'), 'item'],
    ['a purchase of an item that does not exist', sale(999_999, 'NOT-THERE-TO-SELL-1'), 'item'],
    ['another owner’s item', item(201), 'workspace'],
    ['what is no record', { nothing: true }, 'type'],
  ])('%s is refused', async (_, record, field) => {
    // The console's own pages never send these.
    const records = [record as ImportedRecord]
    const found = await ada.ask('importRecords', studio, { records })
    expect([found.stored, found.problems.map((problem) => problem.field)]).toEqual([false, [field]])
  })

  test('an export of another workspace becomes items of this one', async () => {
    const { stored } = await ada.ask('importRecords', studio, {
      records: [item(7006, { workspace: 'bob-works' })],
    })
    expect([stored, (await ada.ask('getItem', { ...studio, id: '7006' })).item.id]).toEqual([true, 7006])
  })

  test('an item of another owner and one that does not exist are refused in the same words', async () => {
    const problems = async (id: number) =>
      (await ada.ask('importRecords', studio, { records: [sale(id, 'SAME-WORDS-SALE-1')] })).problems
    expect(await problems(201)).toEqual(await problems(999_999))
  })

  test('another owner’s workspace does not exist', async () => {
    const answer = await ada.call('importRecords', { slug: 'bob-works' }, { records: [item(7007)] })
    expect(errorOf(answer)).toEqual([404, { code: 'not_found' }])
  })

  test('a body may be larger than other bodies, but not without limit', async () => {
    const description = 'x'.repeat(500_000)
    const found = await ada.ask('importRecords', studio, {
      records: [item(7008, { description }), item(7009, { description })],
    })
    expect(found.stored).toBe(true)
    const large = await ada.call('importRecords', studio, 'x'.repeat(17 * 1024 * 1024))
    expect(errorOf(large)).toEqual([413, { code: 'body_too_large' }])
  })

  test('a record is a line: a form or JSON of another kind is not taken', async () => {
    const body = `{"records":[${'1,'.repeat(1024 * 1024)}1]}`
    const options = { headers: { 'content-type': 'application/json' } }
    const answer = await ada.call('importRecords', studio, body, options)
    expect(errorOf(answer)).toEqual([415, { code: 'unsupported_media_type' }])
  })

  test.each([
    ['numbers', '1\n'],
    ['objects', '{}\n'],
    ['one list', '1,'],
    ['line ends', '\n'],
    ['unknown types', '{"type":"x"}\n'],
    ['long names', `{"${'a.'.repeat(250_000)}":1}\n`],
  ])('16 MiB of %s are read beside the thread that answers', async (_name, part) => {
    async function cost(line: string) {
      const body = line.repeat((16 * 1024 * 1024) / line.length)
      const before = process.threadCpuUsage()
      const { status, text } = await ada.call('importRecords', studio, body)
      const { user, system } = process.threadCpuUsage(before)
      expect(status).toBe(200)
      return { text, cpu: (user + system) / 1000 }
    }
    const plain = await cost('x')
    const { text, cpu } = await cost(part)
    expect(cpu).toBeLessThan(10 * plain.cpu)
    const { stored, problems } = JSON.parse(text)
    expect(stored).toBe(problems.length === 0)
    expect(problems.length).toBeLessThanOrEqual(100)
  })

  test('codes of another owner are not told apart from unknown ones', async () => {
    const problemsOf = async (code: string) => {
      const request = { records: [item(201), sale(201, code)], only_new: true }
      return (await ada.ask('importRecords', studio, request)).problems
    }
    expect(await problemsOf(codes.others)).toEqual(await problemsOf('NO-SUCH-CODE-0001'))
  })

  test('is in the audit log by the account that did it', async () => {
    await ada.ask('importRecords', studio, { records: [item(7010)] })
    const rows = await service.database.read<{ actor: string }>(
      `SELECT e.actor FROM "AuditEntry" e ORDER BY e."number" DESC LIMIT 1`,
    )
    expect(rows[0]?.actor).toMatch(/^console:/)
  })

  test('of new records that two processes store at the same time, one is stored and the other is there already', async () => {
    const home = await temporaryFolder()
    const start = () =>
      startService({ records: withPasswords, folder: home.folder, env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })
    const services = [await start(), await start()]
    const browsers = services.map(({ url }) => createBrowser(url))
    for (const browser of browsers) await browser.signIn('ada')
    async function storeAtOnce(recordsOf: (version: string) => ImportedRecord[]) {
      // Neither can write before both have looked at what is stored.
      const endWriting = await beginWriting(services[0]!)
      const stored = Promise.all(
        browsers.map(async (browser, index) => {
          const request = { records: recordsOf(String(index)), only_new: true }
          const { stored, problems } = await browser.ask('importRecords', studio, request)
          return [stored, ...new Set(problems.map(({ field }) => field))]
        }),
      )
      await delay(300)
      await endWriting()
      return (await stored).sort()
    }
    const items = (first: number, count: number) => (version: string) =>
      Array.from({ length: count }, (_, index) => item(first + index, { version: `1.0.${version}` }))
    const sold = (version: string) => [sale(101, 'AT-THE-SAME-TIME-0001', { license_type: version })]
    expect(await storeAtOnce(items(7100, 1))).toEqual([[false, 'id'], [true]])
    expect(await storeAtOnce(sold)).toEqual([[false, 'purchase_code'], [true]])
    // So many are imported by a thread of each process.
    expect(await storeAtOnce(items(20_000, 150))).toEqual([[false, 'id'], [true]])
    for (const each of services) await each.close()
    await home.remove()
  })

  test('a sale of the item with the largest id is stored', async () => {
    const records = [sale(Number.MAX_SAFE_INTEGER, 'OF-THE-LARGEST-ID-0001')]
    expect((await ada.ask('importRecords', studio, { records })).stored).toBe(true)
  })

  test('imports of one owner run one at a time', async () => {
    // Enough that the second arrives before the first is stored.
    const batch = (first: number) => Array.from({ length: 400 }, (_, index) => item(first + index))
    const answers = await Promise.all(
      [8000, 9000].map((first) => ada.call('importRecords', studio, { records: batch(first) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
  })
})
