import { currencyDigits } from '@saleproof/schema'
import type { DecimalAmount } from '@saleproof/schema/console'

/** Amounts are added up in billions and below: the sum of many high prices is past 64 bits. */
export const billion = 1_000_000_000n

/** The sum of both parts, as the drivers give them. */
export const addParts = (high: string | number, low: string | number) => BigInt(high) * billion + BigInt(low)

/** Minor units as a decimal. */
export function decimal(minor: bigint, currency: string): DecimalAmount {
  const digits = currencyDigits(currency) ?? 0
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`
  // Digits and a point: always a number.
  return `${minor < 0n ? '-' : ''}${whole}${fraction}` as DecimalAmount
}
