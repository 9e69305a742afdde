import { afterAll, beforeAll, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { beginWriting } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { records } from '../support/records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  expect((await run(['import', '-'], ndjson(records))).code).toBe(0)
})
afterAll(() => folder.remove())

const run = (args: readonly string[], input = '') => saleproof(args, { cwd: folder.folder, input })

const sale = (purchase_code: string) => ({
  type: 'purchase',
  item: 101,
  purchase_code,
  license_type: 'Regular',
  price: 1,
  currency: 'USD',
  downloaded: false,
  date: '2024-01-01T00:00:00Z',
})

test('without a command the help is shown, as wrong usage', async () => {
  const { code, stdout, stderr } = await run([])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Usage: saleproof /)
})

test('an import says that there may be more errors than it lists', async () => {
  const wrong = ndjson(Array(5).fill({ type: 'refund' }))
  const some = await run(['import', '-', '--max-errors', '3'], wrong)
  expect(some.code).toBe(1)
  expect(some.stderr.match(/^line \d+: /gm)).toHaveLength(3)
  expect(some.stderr).toContain('stopped after 3')
  const all = await run(['import', '-'], wrong)
  expect(all.stderr.match(/^line \d+: /gm)).toHaveLength(5)
  expect(all.stderr).not.toContain('stopped')
})

test.each([
  ['CSV', 'code,item,price\nAAAA-1111,101,5\nBBBB-2222,101,5\n', 'line 1: this is CSV: use --map'],
  ['UTF-16', Buffer.from('\ufeff{"type":"refund"}\n', 'utf16le'), 'line 1: this is UTF-16: save'],
])('an import of %s says so once', async (_, input, message) => {
  const { code, stderr } = await saleproof(['import', '-'], { cwd: folder.folder, input })
  expect(code).toBe(1)
  expect(stderr).toContain(message)
  expect(stderr.match(/^line \d+: /gm)).toHaveLength(1)
})

test('an import says what it got where it takes something else, and no value', async () => {
  const wrong = { item: '101', price: 'canary', downloaded: null, date: 20_240_427, license_type: ['canary'] }
  const { stderr } = await run(['import', '-'], ndjson([{ ...sale('GOOD-0001-0001-0001'), ...wrong }, []]))
  expect(stderr.split('\n')).toEqual([
    'line 1: item must be a whole number from 1 to 9007199254740991, got text',
    'line 1: license_type must be a string, got a list',
    'line 1: downloaded must be true or false, got null',
    expect.stringMatching(/^line 1: date must be an ISO 8601 date and time .*, got a number$/),
    'line 2: is not a JSON object, got a list',
    'nothing was stored: fix these lines and import the file again',
    '',
  ])
  for (const [price, says] of [
    ['canary', 'must be an amount, such as 19.99, got text'],
    ['', 'must not be empty'],
    [true, 'must be an amount, such as 19.99, got true or false'],
  ]) {
    const refused = await run(['import', '-'], ndjson([{ ...sale('GOOD-0001-0001-0001'), price }]))
    expect(refused.stderr).toContain(`line 1: price ${says}\n`)
  }
})

test('an import of CSV names the column', async () => {
  const amounts = csv.replace('19,90', 'canary').replace('1.019,90', '')
  const { stderr } = await run(['import', '-', '--map', '--item', '101'], amounts)
  expect(stderr.match(/^line .*/gm)).toEqual([
    'line 2, column Amount: price must be an amount, such as 19.99, got text',
    'line 3, column Amount: price must not be empty',
  ])
})

const csv = [
  'Order;License key;Amount;Currency;Date;Status',
  '1;CSV0-0000-0000-0001;19,90;eur;2026-02-01;paid',
  '"2\nwith a line break";CSV0-0000-0000-0002;1.019,90;EUR;2026-02-02;refund',
].join('\r\n')

test('an import of CSV by the names of its columns', async () => {
  const loaded = await run(['import', '-', '--map', '--item', '101'], csv)
  expect(loaded.stderr).toContain('purchase: 2 created')
  const exported = (await run(['export'])).stdout.split('\n').filter((line) => line.includes('CSV0-'))
  expect(exported.map((line) => JSON.parse(line))).toMatchObject([
    { purchase_code: 'CSV0-0000-0000-0001', item: 101, price: 19.9, currency: 'EUR', state: 'active' },
    { purchase_code: 'CSV0-0000-0000-0002', price: 1019.9, state: 'refunded' },
  ])
  expect((await run(['import', '-', '--map', '--item', '101'], csv)).stderr).toContain('purchase: 0 created')
})

test('an import of CSV with columns that are named, and the line of the file in each error', async () => {
  const map = 'purchase_code=license key,date=Order'
  const { code, stderr } = await run(['import', '-', '--map', map, '--item', '101'], csv)
  expect(code).toBe(1)
  expect(stderr.match(/^line .*/gm)).toEqual([
    expect.stringMatching(/^line 2, column Order: date must be /),
    expect.stringMatching(/^line 3, column Order: date must be /),
  ])
})

test.each([
  [['--map'], 'no column for item'],
  [['--map', 'price=Total'], 'the file has no column Total: it has Order, License key'],
  [['--map', 'cost=Amount'], '--map takes field=COLUMN'],
])('an import of CSV with %j says what is missing', async (options, message) => {
  const { code, stderr } = await run(['import', '-', ...options], csv)
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})

test('an import of CSV whose first row is a sale repeats nothing of it', async () => {
  const sales = 'CSV0-0000-0000-0001,101,buyer@example.com,Total\n'
  const { stderr } = await run(['import', '-', '--map', 'purchase_code=Code'], sales)
  expect(stderr).toBe('the file has no column Code: it has column 1, column 2, column 3, Total\n')
})

test('an import counts the warnings that it does not list', async () => {
  const short = ndjson(Array.from({ length: 5 }, (_, index) => sale(`short-${index}`)))
  const { code, stderr } = await run(['import', '-', '--dry-run', '--max-errors', '2'], short)
  expect(code).toBe(0)
  expect(stderr.match(/^warning: /gm)).toHaveLength(2)
  expect(stderr).toMatch(/^3 more warnings/m)
})

test('a workspace that can be made can be imported again', async () => {
  const made = await run(['workspace', 'create', '--owner', 'ada', '--slug', '2--a', '--name', 'A'])
  expect(made).toMatchObject({ code: 0, stdout: '' })
  const exported = (await run(['export'])).stdout
  expect(exported).toContain('"slug":"2--a"')
  expect((await run(['import', '-', '--dry-run'], exported)).code).toBe(0)
  const refused = await run(['workspace', 'create', '--owner', 'ada', '--slug', 'A b', '--name', 'A'])
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^slug .*\n$/) })
})

test('while another writes: one clear line, exit code 1, nothing changed', async () => {
  const before = (await run(['export'])).stdout
  const finish = await beginWriting(folder)
  const workspace = ndjson([{ type: 'workspace', slug: 'waits', name: 'W', owner: 'ada' }])
  // Each waits for seconds: at the same time, as processes of their own.
  const refused = await Promise.all(
    [
      { args: ['item', 'remove', '101', '--with-purchases'], input: '' },
      { args: ['key', 'create', '--workspace', 'ada-studio'], input: '' },
      { args: ['import', '-'], input: workspace },
    ].map(({ args, input }) => spawnSaleproof(args, { cwd: folder.folder, input })),
  )
  await finish()
  for (const { code, stdout, stderr } of refused) {
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^another command or an import is writing to the database[^\n]*\n$/)
  }
  expect((await run(['export'])).stdout).toBe(before)
})
