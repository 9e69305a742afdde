import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saleproof } from '../../../test/support/command.ts'
import { startService, type TestService, temporaryFolder } from '../../../test/support/harness.ts'

const file = new URL('../../../test/fixtures/marketbob.sql', import.meta.url).pathname
const dump = readFileSync(file, 'utf8')
const shop = 'https://market.example.com/shop'

const ada = '2f0a8c7d3b1e4f5a6978810f2e3d4c5b6a798897a6b5c4d3e2f1029384756afe'
const bob = '!short~but~16~ok'

const accounts = {
  [ada]:
    '{"name":{"firstname":"Ada","lastname":"O\'Lima","full_name":"Ada O\'Lima"},"username":"Ada","email":"ada@example.com","balance":1250.5,"currency":"USD","profile":{"heading":"Scripts","description":"It\'s me","contact":{"email":"hi@example.com"},"social_links":{"facebook":"https://facebook.com/ada.lima","linkedin":"https://linkedin.com/in/ada","youtube":"https://youtube.com/@ada"},"media":{"avatar":"https://market.example.com/shop/images/profiles/x1/a%20b.png","cover":""}},"registered_at":"2023-01-31T08:00:00Z"}',
  [bob]:
    '{"name":{"firstname":"","lastname":"","full_name":"bob_the.Builder"},"username":"bob_the.Builder","email":"bob@example.com","balance":-3,"currency":"USD","profile":{"heading":"","description":"","contact":{"email":""},"social_links":{},"media":{"avatar":"https://cdn.example.com/bob.png","cover":""}},"registered_at":"2023-03-01T08:00:00Z"}',
}

const items = {
  base: {
    kit: String.raw`{"id":1000,"name":"Ada's \"Invoice\" Kit","description":"<p>It's a PHP script;\r\nwith C:\\temp, (brackets) and ç.</p>","category":"Code","sub_category":"PHP Scripts","options":["High Resolution: Yes","Compatible Browsers: Firefox, Chrome"],"demo_link":"https://demo.example.com/kit?a=1&b=2","tags":["php","invoice","pdf"],"media":{"preview_image":"${shop}/files/1000/preview.png","screenshots":["${shop}/files/1000/1.png","https://cdn.example.com/2.png"]},"price":{"regular":29.3,"extended":124},"currency":"USD","published_at":"2024-03-05T18:46:55Z"}`,
    clouds: `{"id":1001,"name":"Slow Clouds","description":"Ten clips","category":"Video","sub_category":"Effects","options":[],"demo_link":"","tags":["clouds"],"media":{"preview_image":"${shop}/files/1001/preview.png","screenshots":[]},"price":{"regular":30,"extended":141.99},"currency":"USD","published_at":"2024-04-27T12:00:00Z"}`,
    jingles: `{"id":1002,"name":"Morning Jingles","description":"Jingles ♪","category":"Audio","sub_category":"","options":[],"demo_link":"","tags":["jingle","morning"],"media":{"preview_image":"${shop}/files/1002/thumb.png","screenshots":[]},"price":{"regular":12,"extended":65},"currency":"USD","published_at":"2024-05-02T09:30:00Z"}`,
  },
  extended: {
    kit: String.raw`{"id":1000,"name":"Ada's \"Invoice\" Kit","description":"<p>It's a PHP script;\r\nwith C:\\temp, (brackets) and ç.</p>","category":"Code","sub_category":"PHP Scripts","options":["High Resolution: Yes","Compatible Browsers: Firefox, Chrome"],"version":"2.1.0","demo_link":"https://demo.example.com/kit?a=1&b=2","tags":["php","invoice","pdf"],"media":{"thumbnail":"${shop}/files/1000/thumb.png","preview_image":"${shop}/files/1000/preview.png","screenshots":["${shop}/files/1000/1.png","https://cdn.example.com/2.png"]},"price":{"regular":29.3,"extended":124},"currency":"USD","published_at":"2024-03-05T18:46:55Z"}`,
    clouds: `{"id":1001,"name":"Slow Clouds","description":"Ten clips","category":"Video","sub_category":"Effects","options":[],"version":"1.4.2","demo_link":"","tags":["clouds"],"media":{"thumbnail":"${shop}/files/1001/preview.png","preview_image":"${shop}/files/1001/preview.png","preview_video":"${shop}/files/1001/preview.mp4"},"price":{"regular":30,"extended":141.99},"currency":"USD","published_at":"2024-04-27T12:00:00Z"}`,
    jingles: `{"id":1002,"name":"Morning Jingles","description":"Jingles ♪","category":"Audio","sub_category":"","options":[],"version":"1.0.0","demo_link":"","tags":["jingle","morning"],"media":{"thumbnail":"${shop}/files/1002/thumb.png","preview_audio":"${shop}/files/1002/preview.mp3"},"price":{"regular":12,"extended":65},"currency":"USD","published_at":"2024-05-02T09:30:00Z"}`,
  },
}

const theme = `{"id":1003,"name":"Withdrawn Theme","description":"Deleted","category":"Code","sub_category":"PHP Scripts","options":[],"version":"3.0.1","demo_link":"","tags":["theme"],"media":{"thumbnail":"${shop}/files/1003/preview.png","preview_image":"${shop}/files/1003/preview.png"},"price":{"regular":40.1,"extended":175},"currency":"USD","published_at":"2023-01-01T00:00:00Z"}`
const summaries = {
  kit: String.raw`{"id":1000,"name":"Ada's \"Invoice\" Kit","url":"${shop}/items/adas-invoice-kit/1000","media":{"preview_image":"${shop}/files/1000/preview.png"}}`,
  clouds: `{"id":1001,"name":"Slow Clouds","url":"${shop}/items/slow-clouds/1001","media":{"preview_image":"${shop}/files/1001/preview.png"}}`,
  jingles: `{"id":1002,"name":"Morning Jingles","url":"${shop}/items/morning-jingles/1002","media":{"preview_image":"${shop}/files/1002/thumb.png"}}`,
  theme: `{"id":1003,"name":"Withdrawn Theme","url":"${shop}/items/withdrawn-theme/1003","media":{"preview_image":"${shop}/files/1003/preview.png"}}`,
}
const uuid = '5f1c9a1e-7b1d-4a55-9d55-0d2b8c1f0a'
const { kit, clouds, jingles } = items.extended

type Sold = readonly [key: string, code: string, base: string | undefined, extended: string | undefined]

/** The key, the code, and the purchase in both shapes, or none. */
const purchases: readonly Sold[] = [
  [
    ada,
    `${uuid}01`,
    `"license_type":"Regular","price":29.3,"currency":"USD","item":${summaries.kit},"downloaded":true,"date":"2024-08-01T08:00:00Z"`,
    `"license_type":"Regular","currency":"USD","item":${kit},"supported_until":"2025-01-31T08:00:00Z","downloaded":true,"date":"2024-08-01T08:00:00Z"`,
  ],
  [
    ada,
    `${uuid}02`,
    `"license_type":"Extended","price":124,"currency":"USD","item":${summaries.kit},"downloaded":false,"date":"2024-08-02T08:00:00Z"`,
    `"license_type":"Extended","currency":"USD","item":${kit},"downloaded":false,"date":"2024-08-02T08:00:00Z"`,
  ],
  [
    ada,
    `${uuid}03`,
    `"license_type":"Regular","price":30,"currency":"USD","item":${summaries.clouds},"downloaded":false,"date":"2024-08-03T23:59:59Z"`,
    `"license_type":"Regular","currency":"USD","item":${clouds},"downloaded":false,"date":"2024-08-03T23:59:59Z"`,
  ],
  [ada, `${uuid}04`, undefined, undefined],
  [
    bob,
    `${uuid}05`,
    `"license_type":"Regular","price":12,"currency":"USD","item":${summaries.jingles},"downloaded":true,"date":"2024-08-06T08:00:00Z"`,
    `"license_type":"Regular","currency":"USD","item":${jingles},"downloaded":true,"date":"2024-08-06T08:00:00Z"`,
  ],
  [
    bob,
    String.raw`a-\'b`,
    `"license_type":"Extended","price":175,"currency":"USD","item":${summaries.theme},"downloaded":true,"date":"2024-08-07T08:00:00Z"`,
    `"license_type":"Extended","currency":"USD","item":${theme},"supported_until":"2024-12-31T23:59:59Z","downloaded":true,"date":"2024-08-07T08:00:00Z"`,
  ],
  [bob, `${uuid}07`, undefined, undefined],
  // Of another seller.
  [ada, `${uuid}05`, undefined, undefined],
]

let place: Awaited<ReturnType<typeof temporaryFolder>>
let service: TestService
const run = (...args: string[]) =>
  saleproof(args, { cwd: place.folder, env: { DATABASE_URL: 'file:./test.db' } })
const load = (path: string, ...more: string[]) => run('import', '--from', 'marketbob', path, ...more)
const withShop = ['--base-url', `${shop}/`]

let first: Awaited<ReturnType<typeof load>>
beforeAll(async () => {
  place = await temporaryFolder()
  first = await load(file, ...withShop)
  service = await startService({ folder: place.folder })
})
afterAll(async () => {
  await service.close()
  await place.remove()
})

async function answer(key: string, path: string, body?: object) {
  const { status, text } = await service.request({
    path,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return status === 200 ? text : status
}

test('the command says what was stored and what was left out', () => {
  expect(first).toEqual({ code: 0, stdout: '', stderr: expect.any(String) })
  expect(first.stderr.split('\n')).toEqual([
    'warning: line 94: table purchases, id 1005: purchase_code is shorter than 12 characters: it can be guessed',
    'account: 3 created, 0 updated, 0 unchanged',
    'workspace: 3 created, 0 updated, 0 unchanged',
    'item: 4 created, 0 updated, 0 unchanged',
    'api_key: 2 created, 0 updated, 0 unchanged',
    'purchase: 7 created, 0 updated, 0 unchanged',
    'left out: 3 password hashes',
    'left out: 2 users who sell nothing',
    'left out: 1 keys that are not 16 to 255 visible characters',
    'left out: 2 rows of tickets',
    '',
  ])
})

describe.each(['base', 'extended'] as const)('in the %s shape', (shape) => {
  test.each(Object.entries(accounts))(
    'the key %s answers with its account and its items',
    async (key, account) => {
      const { kit, clouds, jingles } = items[shape]
      const own = key === ada ? [clouds, kit] : [jingles]
      expect(await answer(key, `/api/account/details?shape=${shape}`)).toBe(
        `{"status":"success","data":${account}}`,
      )
      expect(await answer(key, `/api/items/all?shape=${shape}`)).toBe(`{"status":"success","items":[${own}]}`)
      expect(await answer(key, `/api/items/item?item_id=1000&shape=${shape}`)).toBe(
        key === ada ? `{"status":"success","item":${kit}}` : 404,
      )
      expect(await answer(key, `/api/items/item?item_id=1003&shape=${shape}`)).toBe(404)
    },
  )

  test.each(purchases)('%s: the code %s', async (key, code, base, extended) => {
    const purchase = shape === 'base' ? base : extended
    const body = `{"status":"success","data":{"purchase":{"purchase_code":${JSON.stringify(code)},${purchase}}}}`
    expect(await answer(key, '/api/purchases/validation', { purchase_code: code, shape })).toBe(
      purchase ? body : 404,
    )
  })
})

test('customers and states are stored, and the same dump again changes nothing', async () => {
  const { stdout } = await run('export')
  const records = stdout.split('\n').flatMap((line) => (line ? JSON.parse(line) : []))
  const sold = (code: string) => records.find((record) => record.purchase_code === code)
  expect(sold(`${uuid}01`)).toMatchObject({
    customer_name: 'Grace Hopper',
    customer_email: 'grace@example.com',
    order: '2000',
  })
  expect(sold(`${uuid}04`)).toMatchObject({ state: 'refunded', customer_email: 'social@example.com' })
  expect(sold(`${uuid}07`)).toMatchObject({ state: 'revoked', customer_name: "Ada O'Lima" })
  expect(records.flatMap(({ slug }) => slug ?? [])).toEqual(['ada', 'bob-the-builder-5', 'carla'])

  expect((await run('audit', 'list')).stdout).toContain('from marketbob marketbob.sql')

  const refund = join(place.folder, 'refund.ndjson')
  writeFileSync(refund, JSON.stringify({ ...sold(`${uuid}01`), state: 'refunded' }))
  expect((await run('import', refund)).stderr).toContain('purchase: 0 created, 1 updated')
  await run('customer', 'erase', 'grace@example.com')
  const { stderr } = await load(file, ...withShop)
  expect(stderr).toContain('purchase: 0 created, 0 updated, 7 unchanged')
  expect(stderr).not.toMatch(/[1-9]\d* (?:created|updated)/)
  expect((await run('export')).stdout).not.toContain('grace@')
})

test('what cannot be read is refused, with its line and its table, and nothing is stored', async () => {
  const before = await run('export')
  const broken = join(place.folder, 'broken.sql')
  for (const [text, message] of [
    [dump.slice(0, dump.indexOf("0d2b8c1f0a04'")), 'line 91: table purchases: the dump ends within'],
    [dump.replace("0, 2, '2024-08-04", "0, 9, '2024-08-04"), 'line 91: table purchases, id 1003: state must'],
    [dump.replace('2001, 1000, 2,', '2001, 1000, 3,'), 'line 89: table purchases, id 1001: license_type is'],
    [dump.replace('(2006,12,', '(2007,12,'), 'line 95: table purchases, id 1006: price is required'],
    [dump.slice(0, dump.indexOf('CREATE TABLE `users`')), 'the dump was cut off'],
    [dump.replaceAll('`users`', '`people`'), 'the dump has no users who sell'],
    [dump.replaceAll('`purchases`', '`refunds`'), 'the dump has no rows of purchases: it may be cut off'],
    [dump.replace("'too-short',1,0,NULL,NULL,NULL", "'too-short',1,0,NULL,NULL,0xE9"), 'is not UTF-8'],
    [dump.replace("'currency',", "'other',"), 'say --currency'],
  ] as const) {
    writeFileSync(broken, text.replaceAll(uuid, 'ffffffff-7b1d-4a55-9d55-0d2b8c1f0b'))
    const { code, stderr } = await load(broken, ...withShop)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('0d2b8c1f')
  }
  expect((await load(file)).stderr).toContain('say --base-url')
  expect(await load(file, '--base-url', 'market')).toMatchObject({ code: 2 })
  for (const [args, says] of [
    [['--from', 'marketbob', '--skip-invalid'], '--skip-invalid does not go with --from marketbob'],
    [['--from', 'gumroad', ...withShop], '--base-url does not go with --from gumroad'],
    [['--currency', 'USD'], '--currency needs --from'],
  ] as const)
    expect(await run('import', file, ...args)).toMatchObject({ code: 2, stderr: `${says}\n` })
  expect(await run('export')).toEqual(before)
})
