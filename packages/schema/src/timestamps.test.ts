import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTimestamp, parseTimestamp } from './index.ts'

const iso = (text: string) => parseTimestamp(text)?.toISOString()
const two = (value: number) => String(value).padStart(2, '0')

const second = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T23:59:59Z'),
  noInvalidDate: true,
})

/** The same time as a clock with that offset shows it. */
function shownAt(timestamp: Date, minutes: number): string {
  const local = new Date(timestamp.getTime() + minutes * 60_000).toISOString().slice(0, 19)
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

describe('a timestamp', () => {
  test('is the same time for every offset, without fractions', () => {
    fc.assert(
      fc.property(
        second,
        fc.integer({ min: -1439, max: 1439 }),
        fc.constantFrom('', '.5', '.999999999', ',25'),
        (timestamp, minutes, fraction) => {
          const text = shownAt(timestamp, minutes)
          const parsed = parseTimestamp(text.slice(0, 19) + fraction + text.slice(19))
          expect(parsed?.getTime()).toBe(Math.floor(timestamp.getTime() / 1000) * 1000)
          expect(formatTimestamp(parsed ?? new Date(Number.NaN))).toBe(
            `${timestamp.toISOString().slice(0, 19)}Z`,
          )
        },
      ),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['2024-04-27T12:00:00Z', '2024-04-27T12:00:00.000Z'],
    ['2024-04-27t12:00:00z', '2024-04-27T12:00:00.000Z'],
    ['2024-04-27T17:30:00+05:30', '2024-04-27T12:00:00.000Z'],
    ['2024-04-27T09:00:00-0300', '2024-04-27T12:00:00.000Z'],
    ['2024-04-27T21:00:00+09', '2024-04-27T12:00:00.000Z'],
    ['2024-04-27T12:00:00-00:00', '2024-04-27T12:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0004-02-29T00:00:00Z', '0004-02-29T00:00:00.000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
    ['1969-12-31T23:59:59.9Z', '1969-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  test.each([
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '0099-02-29T00:00:00Z',
    '2024-04-31T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00+01:60',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2024-01-01T00:00:00',
    '2024-01-01 00:00:00Z',
    '2024-01-01',
    '+002024-01-01T00:00:00Z',
    ' 2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00Z\n',
    '٢٠٢٤-01-01T00:00:00Z',
    '',
  ])('%j is none', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })

  test('cuts fractions off, also before 1970', () => {
    expect(formatTimestamp(new Date(-1))).toBe('1969-12-31T23:59:59Z')
    expect(formatTimestamp(new Date(1999))).toBe('1970-01-01T00:00:01Z')
  })
})
