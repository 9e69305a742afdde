import { describe, expect, test } from 'vitest'
import { decodeText, guessMapping, readSalesTable, toAmount, toSale, toTimestamp } from './index.ts'

describe('a table', () => {
  test('is read with its line numbers, whatever separates the cells', () => {
    for (const separator of [',', ';', '\t', '|'])
      expect(
        readSalesTable(`Code${separator}Note\r\n\r\nA1${separator}"two\r\nlines"\r\nB2${separator}x\r\n`),
      ).toEqual({
        columns: ['Code', 'Note'],
        rows: [
          { line: 3, cells: ['A1', 'two\r\nlines'] },
          { line: 5, cells: ['B2', 'x'] },
        ],
      })
  })

  test('is read with a byte order mark and in UTF-16, as spreadsheets save it', () => {
    const units = [...'a,b\n1,2'].map((each) => each.charCodeAt(0))
    const files = [
      new TextEncoder().encode('\ufeffa,b\n1,2'),
      Uint8Array.from([0xff, 0xfe, ...units.flatMap((unit) => [unit, 0])]),
      Uint8Array.from([0xfe, 0xff, ...units.flatMap((unit) => [0, unit])]),
    ]
    for (const file of files)
      expect(readSalesTable(decodeText(file))).toMatchObject({
        columns: ['a', 'b'],
        rows: [{ cells: ['1', '2'] }],
      })
  })

  test('loses what an export did to cells that look like formulas', () => {
    const cells = ["'=SUM(A1)", "'-1", "'plain", "a;'=1", "a '+1", "a '- b"]
    expect(readSalesTable(['code', ...cells].join('\n')).rows.map(({ cells: [cell] }) => cell)).toEqual([
      ...['=SUM(A1)', '-1', "'plain", 'a;=1', 'a +1', "a '- b"],
    ])
  })
})

test.each([
  ['19.99', '19.99'],
  ['19,99', '19.99'],
  ['$1,234.50', '1234.50'],
  ['1.234,50 €', '1234.50'],
  ['R$ 1.234.567,00', '1234567.00'],
  ['1,234,567', '1234567'],
  ['12', '12'],
  ['1.234', '1.234'],
  ['free', 'free'],
])('the amount %s is %j', (text, amount) => expect(toAmount(text)).toBe(amount))

test.each([
  ['2026-02-01', '2026-02-01T00:00:00Z'],
  ['2026-02-01 10:20:30', '2026-02-01T10:20:30Z'],
  ['2026-02-01T10:20:30+02:00', '2026-02-01T10:20:30+02:00'],
  ['2026-02-01T10:20', '2026-02-01T10:20Z'],
  ['01/02/2026', '01/02/2026'],
])('the time %s is %s', (text, timestamp) => expect(toTimestamp(text)).toBe(timestamp))

test('columns are recognised by the names that shops give them', () => {
  const columns = ['Order ID', 'License Key', 'Product ID', 'Amount', 'Currency', 'Created at', 'Status']
  expect(guessMapping(columns)).toEqual({
    purchase_code: 1,
    item: 2,
    license_type: -1,
    price: 3,
    currency: 4,
    date: 5,
    supported_until: -1,
    state: 6,
  })
})

test('a row becomes a sale; what has no column has its default', () => {
  const mapping = guessMapping(['code', 'price', 'currency', 'date', 'status'])
  const row = { line: 2, cells: ['AAAA-1111', '12,50', 'eur', '2026-02-01', 'Refund'] }
  expect(toSale(row, mapping, '101')).toEqual({
    type: 'purchase',
    item: 101,
    purchase_code: 'AAAA-1111',
    license_type: 'Regular',
    price: '12.50',
    currency: 'EUR',
    downloaded: false,
    date: '2026-02-01T00:00:00Z',
    state: 'refunded',
  })
})
