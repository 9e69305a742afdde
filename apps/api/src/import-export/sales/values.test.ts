import { createDecoder } from '@saleproof/schema/sales-file'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunked } from '../../../test/support/import-database.ts'
import { type Row, readRows } from './csv.ts'
import { edd } from './profiles/edd.ts'
import {
  cleanCell,
  createTimeReader,
  isAmount,
  orderedParts,
  readFlag,
  readState,
  toAmount,
} from './values.ts'

async function rowsOf(bytes: string | Uint8Array, size?: number) {
  const rows: Row[] = []
  for await (const block of readRows(chunked(bytes, size))) rows.push(...block)
  return rows
}

test('rows keep their lines, whatever separates the cells and wherever the file is cut into chunks', async () => {
  for (const separator of [',', ';', '\t', '|'])
    for (const size of [1, 7, 64])
      expect(
        await rowsOf(`Code${separator}Note\r\n\r\nA1${separator}"two\r\nli""nes"\r\nB2${separator}é`, size),
      ).toEqual([
        { line: 1, lines: 1, cells: ['Code', 'Note'] },
        { line: 2, lines: 1, cells: [''] },
        { line: 3, lines: 2, cells: ['A1', 'two\r\nli"nes'] },
        { line: 5, lines: 1, cells: ['B2', 'é'] },
      ])
})

test('files of spreadsheets are read: UTF-16, a line that names the separator, old ends of lines', async () => {
  const utf16 = Buffer.from('\ufeffa,b\n1,2', 'utf16le')
  for (const file of [
    '\ufeffa,b\n1,2',
    utf16,
    Buffer.from(utf16).swap16(),
    'sep=,\r\na,b\r\n1,2',
    'a,b\r1,2',
  ])
    expect((await rowsOf(file)).map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
})

test('a line that is no UTF-8 is Windows-1252, or after lines of UTF-8 damaged, wherever the file is cut into chunks', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const quoted = Buffer.from([0x93, 0xcd, 0x94, 0x3b, 0x35, 0x80, 0x0a])
  const cut = Buffer.from('ação;é').subarray(0, -1)
  const file = Buffer.concat([latin('Situação;Preço\n'), quoted, Buffer.from('é;ç\n'), cut])
  for (const size of [1, 7, 1000]) {
    const decode = createDecoder()
    let text = ''
    for (let from = 0; from < file.length; from += size) text += decode(file.subarray(from, from + size))
    expect(text + decode()).toBe('Situação;Preço\n“Í”;5€\né;ç\nação;\ufffd')
  }
})

test('a quote that is never closed ends with its line', async () => {
  expect(await rowsOf('a,b\n1,"cut\n2,3')).toEqual([
    { line: 1, lines: 1, cells: ['a', 'b'] },
    { line: 2, lines: 1, cells: ['1', '"cut'], isOpen: true },
    { line: 3, lines: 1, cells: ['2', '3'] },
  ])
})

test('texts that are made to be slow are read in time', async () => {
  const length = 100_000
  const before = process.cpuUsage()
  await rowsOf(`a,b\n""${','.repeat(length)}\n${'"a"\n'.repeat(length)}`)
  expect(createTimeReader('UTC', 'dmy')(`2026-01-01 10:00${' '.repeat(length)}x`)).toBeUndefined()
  expect(orderedParts(`03/04/2026 10:00${' '.repeat(length)}x`)).toBeUndefined()
  expect(isAmount(`1${' '.repeat(length)}2x3`)).toBe(false)
  const products = ` - ${'1'.repeat(length)}-`
  expect(products.replace(edd.notInItem!, '')).toBe(products)
  // Each of them took seconds or hours.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(4000)
})

test('what is written as CSV is read back', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', ' ', 'é'), maxLength: 6 })
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async (rows, size) => {
      const all = [['x', 'y', 'z'], ...rows]
      const csv = all
        .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
        .join('\r\n')
      expect((await rowsOf(csv, size)).map(({ cells }) => cells)).toEqual(all)
    }),
  )
})

test.each([
  ["'=SUM(A1)", '=SUM(A1)'],
  ["'-1", '-1'],
  ["'plain", "'plain"],
  ["a;'=1", 'a;=1'],
  ["a '+1", 'a +1'],
  ["a '- b", "a '- b"],
  ['="00123"', '00123'],
])('the cell %s is %s', (cell, text) => expect(cleanCell(` ${cell} `)).toBe(text))

test.each([
  ['19.99', '19.99'],
  ['19,99', '19.99'],
  ['$1,234.50', '1234.50'],
  ['1.234,50 €', '1234.50'],
  ['R$ 1.234.567,00', '1234567.00'],
  ['1,234,567', '1234567'],
  ['1.234', '1.234'],
  ['free', 'free'],
  ['Rs. 50', '50'],
  ['Rs.1,500.00', '1500.00'],
  ['$.50', '0.50'],
  ['CHF 1’234.50', '1234.50'],
  ['($19.99)', '-19.99'],
  ['\u221219,99 €', '-19.99'],
  ['2 x 10.00', '2 x 10.00'],
  ['10.00 / 9.00', '10.00 / 9.00'],
])('the amount %s is %j', (text, amount) => expect(toAmount(text)).toBe(amount))

test.each([
  ['2026-02-01', '2026-02-01T00:00:00Z'],
  ['2026-07-01', '2026-06-30T23:00:00Z'],
  ['2026-02-01 10:20:30', '2026-02-01T10:20:30Z'],
  ['2026-02-01T10:20:30+02:00', '2026-02-01T08:20:30Z'],
  ['2026-02-01 10:20:30 -0500', '2026-02-01T15:20:30Z'],
  ['2026-07-01 10:20:30 UTC', '2026-07-01T10:20:30Z'],
  // The clocks change on these days.
  ['2026-03-29 00:30', '2026-03-29T00:30:00Z'],
  ['2026-03-29 03:30', '2026-03-29T02:30:00Z'],
  ['2026-10-25 01:30', '2026-10-25T00:30:00Z'],
  ['2026-10-25 12:00', '2026-10-25T12:00:00Z'],
  ['03/04/2026', '2026-04-02T23:00:00Z'],
  ['03/04/26 1:05 PM', '2026-04-03T12:05:00Z'],
  ['3.4.2026', '2026-04-02T23:00:00Z'],
  ['31/12/2026', '2026-12-31T00:00:00Z'],
  ['46054', '2026-02-01T00:00:00Z'],
  ['46054.5', '2026-02-01T12:00:00Z'],
  ['46054 10:20:30 PM', '2026-02-01T22:20:30Z'],
  ['46054 0.5', '2026-02-01T12:00:00Z'],
  ['46054 soon', undefined],
  ['31/02/2026', undefined],
  ['2026-00-10', undefined],
  ['12/31/2026', undefined],
  ['soon', undefined],
  ['', undefined],
])('in Lisbon the time %s is %s', (text, time) =>
  expect(createTimeReader('Europe/Lisbon', 'dmy')(text)).toBe(time),
)

test('a month may come first', () => {
  const read = createTimeReader('UTC', 'mdy')
  expect([read('03/04/2026'), read('31/12/2026'), read('03.04.2026')]).toEqual([
    '2026-03-04T00:00:00Z',
    undefined,
    '2026-04-03T00:00:00Z',
  ])
})

test('words of exports are read in any form, and others are unclear', () => {
  expect(['partially_refunded', 'Paid', 'Charged Back', 'CA', ''].map(readState)).toEqual([
    ...['partial', 'active', 'revoked', undefined, undefined],
  ])
  expect(['1', 'TRUE', 'no', 'N', '', 'maybe'].map(readFlag)).toEqual([
    ...[true, true, false, false, undefined, undefined],
  ])
})
