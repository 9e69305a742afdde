import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyCodes, currencyDigits, formatMoney, parseMoney } from './index.ts'

const largest = (digits: number) =>
  digits === 4
    ? 99_999_999_999n * 10n ** 4n + 9999n
    : 999_999_999_999n * 10n ** BigInt(digits) + 10n ** BigInt(digits) - 1n

/** The decimal text of an integer of minor units, by moving the point in its digits. */
function decimalText(minor: bigint, digits: number): string {
  const sign = minor < 0n ? '-' : ''
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  const [whole, fraction] = [text.slice(0, text.length - digits), text.slice(text.length - digits)]
  const shown = fraction.replace(/0+$/, '')
  return sign + whole + (shown && `.${shown}`)
}

const byDigits = [0, 2, 3, 4].map((digits) => ({
  digits,
  codes: currencyCodes.filter((code) => currencyDigits(code) === digits),
}))

const amount = fc.constantFrom(...currencyCodes).chain((currency) => {
  const limit = largest(currencyDigits(currency) ?? 0)
  return fc.record({ currency: fc.constant(currency), minor: fc.bigInt({ min: -limit, max: limit }) })
})

describe('an amount as JSON', () => {
  test('is the decimal text of its minor units, without binary noise', () => {
    fc.assert(
      fc.property(amount, ({ currency, minor }) => {
        expect(JSON.stringify(formatMoney(minor, currency))).toBe(
          decimalText(minor, currencyDigits(currency) ?? 0),
        )
      }),
      { numRuns: 3000 },
    )
  })

  test('reads back as the same minor units', () => {
    fc.assert(
      fc.property(amount, ({ currency, minor }) => {
        const text = JSON.stringify(formatMoney(minor, currency))
        expect(parseMoney(text, currency)).toEqual({ minor: Number(minor) })
        expect(parseMoney(JSON.parse(text), currency)).toEqual({ minor: Number(minor) })
      }),
      { numRuns: 3000 },
    )
  })

  test.each(currencyCodes)('is exact in %s at its limits and around the smallest amounts', (currency) => {
    const digits = currencyDigits(currency) ?? 0
    const limit = largest(digits)
    for (const minor of [limit, limit - 1n, -limit, 1n, 99n, 101n, 29n, 1999n, 0n]) {
      const text = JSON.stringify(formatMoney(minor, currency))
      expect(text).toBe(decimalText(minor, digits))
      expect(parseMoney(text, currency)).toEqual({ minor: Number(minor) })
    }
    const tooLarge = decimalText(limit + 1n, digits)
    expect(parseMoney(tooLarge, currency)).toEqual({ problem: 'amount_range' })
    expect(parseMoney(Number(tooLarge), currency)).toEqual({ problem: 'amount_range' })
  })
})

describe('invalid amounts', () => {
  test.each([
    [19.999, 'USD', 'amount_decimals'],
    ['19.990', 'USD', 'amount_decimals'],
    [0.1 + 0.2, 'USD', 'amount_decimals'],
    [1e-7, 'USD', 'amount_decimals'],
    [1.5, 'JPY', 'amount_decimals'],
    ['1.2345', 'BHD', 'amount_decimals'],
    [1e12, 'USD', 'amount_range'],
    [1e21, 'USD', 'amount_range'],
    [1e300, 'USD', 'amount_range'],
    ['1000000000000000000000000', 'USD', 'amount_range'],
    [100_000_000_000, 'CLF', 'amount_range'],
    ['', 'USD', 'amount'],
    ['1e3', 'USD', 'amount'],
    ['+1', 'USD', 'amount'],
    ['.5', 'USD', 'amount'],
    ['5.', 'USD', 'amount'],
    ['1,50', 'USD', 'amount'],
    [' 1', 'USD', 'amount'],
    ['٣', 'USD', 'amount'],
    ['1\n', 'USD', 'amount'],
    [Number.NaN, 'USD', 'amount'],
    [Number.POSITIVE_INFINITY, 'USD', 'amount'],
    [1, 'XAU', 'currency'],
    [1, 'usd', 'currency'],
    [1, 'constructor', 'currency'],
  ] as const)('%s %s: %s', (value, currency, problem) => {
    expect(parseMoney(value, currency)).toEqual({ problem })
  })

  test('an amount in an unknown currency is not formatted', () => {
    expect(() => formatMoney(1, 'XXX')).toThrow(RangeError)
  })

  test('minus zero is zero', () => {
    expect(JSON.stringify(parseMoney('-0.00', 'USD'))).toBe('{"minor":0}')
    expect(Object.is((parseMoney(-0, 'USD') as { minor: number }).minor, 0)).toBe(true)
  })
})

describe('the table of currencies', () => {
  test('has the numbers of digits of ISO 4217', () => {
    expect(byDigits.map(({ codes }) => codes.length)).toEqual([17, 145, 7, 2])
    expect(byDigits[0]?.codes.join(' ')).toBe(
      'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    )
    expect(byDigits[2]?.codes.join(' ')).toBe('BHD IQD JOD KWD LYD OMR TND')
    expect(byDigits[3]?.codes.join(' ')).toBe('CLF UYW')
  })

  test('is sorted, without duplicates, and adds only funds and new codes to those of Intl', () => {
    expect(currencyCodes).toEqual([...new Set(currencyCodes)].sort())
    const known = new Set(Intl.supportedValuesOf('currency'))
    const funds = 'BOV CHE CHW CLF COU MXV USN UYI UYW'.split(' ')
    const added = currencyCodes.filter((code) => !known.has(code) && !funds.includes(code))
    expect(['VED', 'XAD', 'XCG', 'ZWG']).toEqual(expect.arrayContaining(added))
  })

  test('differs from Intl where customary digits differ from the standard', () => {
    const digitsOfIntl = (currency: string) =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
    const different = currencyCodes.filter((code) => digitsOfIntl(code) !== currencyDigits(code))
    expect(different).toEqual(expect.arrayContaining(['AFN', 'IDR', 'IQD', 'LAK', 'PKR']))
  })
})
