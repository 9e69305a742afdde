import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

test('values may begin with a hyphen: after options, and after -- where an argument stands alone', async () => {
  const created = ['create', '--owner', 'ada', '--slug', '-works', '--name', '-n']
  expect(await run(['workspace', ...created])).toMatchObject({ code: 0 })
  expect(await run(['signing-key', 'list', '--workspace', '-works'])).toMatchObject({ code: 0 })
  const erase = ['customer', 'erase', '--workspace', 'ada-studio']
  expect(await run([...erase, '--', '-buyer@example.com'])).toMatchObject({ code: 1 })
  erase[3] = 'nowhere'
  expect((await run([...erase, 'buyer@example.com'])).stderr).toContain('"workspace list" shows them')
  for (const [argument, said] of [
    ['-buyer@example.com', 'unknown option, or an argument that begins with a hyphen: write -- before it'],
    ["--buyer'buyer@example.com'", 'or an argument that begins with a hyphen: write -- before it'],
    ['--BUYER-buyer', 'unknown option, or an argument that begins with a hyphen: write -- before it'],
    ['--Workspace', "unknown option '--Workspace'\n(Did you mean --workspace?)"],
    ['--emial=buyer@example.com', "unknown option '--emial'\n"],
    ['-w', 'unknown option, or an argument that begins with a hyphen: write -- before it'],
  ] as const) {
    const { code, stderr } = await run(['customer', 'erase', argument])
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
    expect(stderr).not.toMatch(/buyer/i)
  }
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
  ['CSV', 'code,item,price\nAAAA-1111,101,5\nBBBB-2222,101,5\n', 'line 1: this is CSV or SQL: use --from'],
  ['a dump', '-- MySQL dump 10.13\n--\nCREATE TABLE t (id int);\n', 'line 1: this is CSV or SQL: use --from'],
  ['UTF-16', Buffer.from('\ufeff{"type":"refund"}\n', 'utf16le'), 'line 1: this is UTF-16: save'],
])('an import of %s says so once', async (_, input, message) => {
  const { code, stderr } = await saleproof(['import', '-'], { cwd: folder.folder, input })
  expect(code).toBe(1)
  expect(stderr).toContain(message)
  expect(stderr.match(/^line \d+: /gm)).toHaveLength(1)
})

test('an import says what a field takes, and no value', async () => {
  const wrong = { item: '101', price: 'canary', downloaded: 'no', date: 20_240_427, license_type: ['canary'] }
  const { stderr } = await run(['import', '-'], ndjson([{ ...sale('GOOD-0001-0001-0001'), ...wrong }, []]))
  expect(stderr.split('\n')).toEqual([
    'line 1: item must be a whole number from 1 to 9007199254740991',
    'line 1: license_type must be a string',
    'line 1: downloaded must be true or false',
    expect.stringMatching(/^line 1: date must be an ISO 8601 date and time .*$/),
    'line 2: is not a JSON object',
    'nothing was stored: fix these lines and import the file again',
    '',
  ])
  for (const [price, says] of [
    ['canary', 'must be an amount, such as 19.99'],
    ['', 'must not be empty'],
    [true, 'must be an amount, such as 19.99'],
  ]) {
    const refused = await run(['import', '-'], ndjson([{ ...sale('GOOD-0001-0001-0001'), price }]))
    expect(refused.stderr).toContain(`line 1: price ${says}\n`)
  }
})

const csv = [
  'Order;License key;Amount;Currency;Date;Status',
  '1;CSV0-0000-0000-0001;19,90;eur;2026-02-01;paid',
  '"2\nwith a line break";CSV0-0000-0000-0002;1.019,90;EUR;2026-02-02;refund',
].join('\r\n')

const none = ['import', '-', '--from', 'none', '--item', '101']

test('an import of CSV names the column', async () => {
  const amounts = csv.replace('19,90', 'canary')
  const { code, stderr } = await run(none, amounts)
  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual([
    'Amount: line 2: canary: must be an amount, such as 19.99',
    '2 rows: 1 created, 0 updated, 0 unchanged, 0 skipped, 1 rejected',
    'EUR refunded: 1 sales, 1019.90',
    'nothing was stored: correct these rows, or import the others with --skip-invalid',
    '',
  ])
})

test('an import of CSV by the names of its columns', async () => {
  const loaded = await run(none, csv)
  expect(loaded.stderr.split('\n')).toEqual([
    '2 rows: 2 created, 0 updated, 0 unchanged, 0 skipped, 0 rejected',
    'EUR active: 1 sales, 19.90',
    'EUR refunded: 1 sales, 1019.90',
    '',
  ])
  const exported = (await run(['export'])).stdout.split('\n').filter((line) => line.includes('CSV0-'))
  expect(exported.map((line) => JSON.parse(line))).toMatchObject([
    { purchase_code: 'CSV0-0000-0000-0001', item: 101, price: 19.9, currency: 'EUR', state: 'active' },
    { purchase_code: 'CSV0-0000-0000-0002', price: 1019.9, state: 'refunded' },
  ])
  // A pipe is read once.
  execFileSync('mkfifo', [join(folder.folder, 'pipe')])
  const writing = writeFile(join(folder.folder, 'pipe'), csv)
  const rest = join(folder.folder, 'rest.csv')
  writeFileSync(rest, 'rows of another import')
  const again = await run([...none.with(1, 'pipe'), '--rejected', 'rest.csv'])
  expect(again.stderr).toContain('2 rows: 0 created, 0 updated, 2 unchanged')
  await writing
  expect(readFileSync(rest, 'utf8')).toBe('Order;License key;Amount;Currency;Date;Status;"problem"\n')
  const subjects = (await run(['audit', 'list', '--json'])).stdout
  expect(subjects).toContain('purchase 2+0 from none standard input')
})

test('an import of the export of a shop keeps which items are meant, and takes no id of the shop for ours', async () => {
  const text = [
    'Identifier,Order Number,User Email,Currency,Total,Status,Product ID,Product Name,License Key,Created At',
    '1,1,a@example.com,USD,5,paid,102,Sold elsewhere,LSQ1-0000-0000-0001,2026-07-01',
  ].join('\n')
  const shop = ['import', '-', '--from', 'lemonsqueezy']
  expect((await run(shop, text)).stderr).toContain('Product Name: line 2: Sold elsewhere: ')
  writeFileSync(join(folder.folder, 'map.csv'), 'Sold elsewhere,101\n')
  expect((await run([...shop, '--items', 'map.csv'], text)).code).toBe(0)
  const again = await run(shop, text.replaceAll('0001', '0002'))
  expect(again.stderr).toMatch(/^Sold elsewhere: item 101, .*\n1 rows: 1 created/)

  // In any CSV the id of a product is ours, whatever its name is given for.
  const columns = 'product_id=Product ID,item=Product Name,purchase_code=License Key,date=Created At'
  const any = ['import', '-', '--from', 'none', '--columns', columns, '--license', 'Regular']
  const named = text.replaceAll('0001', '0003')
  expect((await run([...any, '--items', 'map.csv'], named)).code).toBe(0)
  const stored = (await run(['export'])).stdout
    .split('\n')
    .find((line) => line.includes('LSQ1-0000-0000-0003'))
  expect(JSON.parse(stored ?? '')).toMatchObject({ item: 102 })
})

test('an import of an order without codes lists the items that are not known, as they are given to --items', async () => {
  const order = (id: number, item: string, price: number) => `${id},paid,USD,2026-07-01,${item},${price}`
  const text = [
    'Name,Financial Status,Currency,Created at,Lineitem name,Lineitem price',
    order(1, '"Old, new"', 5),
    order(2, 'Unknown', 6),
    order(3, 'Unknown', 7),
  ].join('\n')
  const shop = ['import', '-', '--from', 'shopify', '--codes', 'make']
  const { code, stderr } = await run(shop, text)
  expect([code, stderr.split('\n')]).toEqual([
    1,
    [
      'no item is known for these: add their IDs, and give them to --items',
      'Item,ID,Rows,Name',
      '"Old, new",,1,"Old, new"',
      'Unknown,,2,Unknown',
      'no item of the file is known: say which it is with --items or --item',
      '',
    ],
  ])
  const listed = stderr.split('\n').slice(1, 4).join('\n').replaceAll(',,', ',101,')
  writeFileSync(join(folder.folder, 'map.csv'), listed)
  const { stderr: said } = await run([...shop, '--items', 'map.csv', '--dry-run'], text)
  expect(said).toMatch(/^read as shopify, recognised as shopify\norder: Name \(…\)\n/)
  expect(said).toContain('\nprice: Lineitem price (5, 6, 7)\n')
  expect(said).toContain('\n3 rows: 3 created')
})

test('an import of CSV with columns that are named, and the line of the file in each error', async () => {
  const columns = 'purchase_code=license key,date=Order'
  const { code, stderr } = await run([...none, '--columns', columns], csv)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Order: 2 rows, e.g. line 2: 1: is not a date/)
})

test('an import of CSV stores the good rows, and writes the others to be corrected', async () => {
  const rows = csv.replace('2026-02-01', 'soon').replaceAll('CSV0', 'CSV1')
  const rest = join(folder.folder, 'rest.csv')
  const unwritable = await run([...none, '--skip-invalid', '--rejected', 'none/rest.csv'], rows)
  expect([unwritable.code, unwritable.stderr]).toEqual([1, expect.stringContaining('none/rest.csv')])
  const { code, stderr } = await run([...none, '--skip-invalid', '--rejected', 'rest.csv'], rows)
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('1 created, 0 updated, 0 unchanged, 0 skipped, 1 rejected'),
  ])
  const written = readFileSync(rest, 'utf8')
  expect(written).toBe(
    [
      'Order;License key;Amount;Currency;Date;Status;"problem"',
      '1;CSV1-0000-0000-0001;19,90;eur;soon;paid;"Date: is not a date that can be read, such as 2026-01-31 or 31/01/2026"',
      '',
    ].join('\n'),
  )
  expect((await run(none, written.replace('soon', '2026-02-03'))).stderr).toContain('1 rows: 1 created')
})

test('an import of CSV writes no rejected rows over the file that it reads', async () => {
  const file = join(folder.folder, 'sales.csv')
  writeFileSync(file, csv.replace('2026-02-01', 'soon').replaceAll('CSV0', 'CSV2'))
  symlinkSync(file, join(folder.folder, 'link.csv'))
  for (const rejected of ['sales.csv', 'link.csv']) {
    const options = ['--skip-invalid', '--rejected', rejected]
    const { code, stderr } = await run([...none.with(1, 'sales.csv'), ...options])
    expect([code, stderr]).toEqual([2, `--rejected names the file that is imported\n`])
  }
  expect(readFileSync(file, 'utf8')).toContain('CSV2-0000-0000-0002')
})

test('an import of CSV from standard input has a limit, because it is kept in memory', async () => {
  async function* input() {
    for (let mebibyte = 0; mebibyte < 65; mebibyte++) yield Buffer.alloc(1024 * 1024)
  }
  const { code, stderr } = await saleproof(none, { cwd: folder.folder, input: input() })
  expect([code, stderr]).toEqual([1, expect.stringContaining('64 MiB at most')])
})

test.each([
  [['--from', 'none'], 'no column for item: give one with --item 101'],
  [['--from', 'none', '--columns', 'price=Total'], 'the file has no column Total: it has Order, License key'],
  [['--from', 'none', '--columns', 'cost=Amount'], '--columns takes field=COLUMN'],
])('an import of CSV with %j says what is missing', async (options, message) => {
  const { code, stderr } = await run(['import', '-', ...options], csv)
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})

test('an import of CSV whose first row is a sale repeats nothing of it', async () => {
  const sales = 'CSV0-0000-0000-0001,101,buyer@example.com,Total\n'
  const { stderr } = await run([...none, '--columns', 'purchase_code=Code'], sales)
  expect(stderr).toBe('the file has no column Code: it has column 1, column 2, column 3, Total\n')
})

test('an import says on a terminal how far it is', async () => {
  let said = ''
  let listen = () => {}
  async function* input() {
    yield Buffer.from(`${JSON.stringify(sale('LONG-0001-0001-0001'))}\n`)
    await new Promise<void>((resolve) => {
      listen = resolve
    })
  }
  const onTerminal = (text: string) => {
    said += text
    if (said.includes('records read')) listen()
    return undefined
  }
  const { code } = await saleproof(['import', '-'], { cwd: folder.folder, input: input(), onTerminal })
  expect(code).toBe(0)
  expect(said).toMatch(/^\r0 records read, \d+ s/)
  // The line goes before the result.
  expect(said).toContain('\r\x1b[Kaccount: 0 created')
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
