import { currencyDigits } from './currencies.ts'

/** What can be wrong with an amount. */
export type MoneyProblem = 'currency' | 'amount' | 'amount_decimals' | 'amount_range'

/** The largest amount, in whole units, of a currency with this many digits: at most 15 digits, which a double holds exactly. */
const largestUnits = (digits: number) => (digits === 4 ? 99_999_999_999 : 999_999_999_999)

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * An amount as it is written (a number or a decimal string) in minor units of its currency.
 *
 * Gives `{ minor }`, an integer within ±(10^15 - 1), or `{ problem }`: an unknown currency, not an amount, more decimals
 * than the currency has, or out of range. Nothing is rounded.
 *
 * @example
 * parseMoney('19.99', 'USD') // { minor: 1999 }
 * parseMoney(19.999, 'USD') // { problem: 'amount_decimals' }
 */
export function parseMoney(
  value: number | string,
  currency: string,
): { minor: number } | { problem: MoneyProblem } {
  const digits = currencyDigits(currency)
  if (digits === undefined) return { problem: 'currency' }
  const text = String(value)
  const match = decimal.exec(text)
  if (!match) return { problem: numberProblem(value) }
  const [, sign, whole = '', fraction = ''] = match
  if (fraction.length > digits) return { problem: 'amount_decimals' }
  if (Number(whole) > largestUnits(digits)) return { problem: 'amount_range' }
  const minor = Number(whole + fraction.padEnd(digits, '0'))
  return { minor: sign === '-' && minor !== 0 ? -minor : minor }
}

/** A number that JavaScript writes with an exponent is either too large or has too many decimals for every currency. */
function numberProblem(value: number | string): MoneyProblem {
  if (typeof value === 'string' || !Number.isFinite(value)) return 'amount'
  return Math.abs(value) < 1 ? 'amount_decimals' : 'amount_range'
}

/**
 * An integer of minor units as the JSON number of the contract. The division is exact in what JSON shows: both sides are
 * integers that a double holds, the quotient has at most 15 significant digits, and the nearest double prints as those.
 *
 * Throws a `RangeError` for a currency that is not known.
 *
 * @example
 * formatMoney(1999, 'USD') // 19.99
 */
export function formatMoney(minor: number | bigint, currency: string): number {
  const digits = currencyDigits(currency)
  if (digits === undefined) throw new RangeError('unknown currency')
  return Number(minor) / 10 ** digits
}
