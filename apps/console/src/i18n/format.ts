import type { DecimalAmount } from '@saleproof/schema/console'
import type { Messages } from '../messages/en/index.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units = [
  ['second', 1, minute],
  ['minute', minute, hour],
  ['hour', hour, day],
  ['day', day, 30 * day],
] as const

/** Formats numbers, money and times, in the time zone of the browser. */
export function createFormat(tag: string, t: Messages) {
  const number = new Intl.NumberFormat(tag)
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const rounded = new Intl.NumberFormat(tag, { maximumSignificantDigits: 3 })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' })
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' })
  const exact = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'long' })
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'long' })

  const ago = (iso: string, now = Date.now()) => {
    const seconds = (Date.parse(iso) - now) / 1000
    if (Math.abs(seconds) < minute) return seconds < 0 ? t.time.justNow : t.time.soon
    const unit = units.find(([, , end]) => Math.abs(seconds) < end)
    return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : date.format(new Date(iso))
  }

  return {
    tag,
    number: (value: number) => number.format(value),
    compact: (value: number) => compact.format(value),
    percent: (share: number) => percent.format(share),
    money: (amount: number | DecimalAmount, currency: string) => money(tag, amount, currency),
    /** For an axis, in whole thousands or millions. */
    compactMoney: (amount: number, currency: string) =>
      new Intl.NumberFormat(tag, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        notation: 'compact',
        maximumFractionDigits: 1,
      }).format(amount),
    date: (iso: string) => date.format(new Date(iso)),
    dateTime: (iso: string) => dateTime.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    exact: (iso: string) => exact.format(new Date(iso)),
    ago,
    milliseconds: (value: number) =>
      value < 1000 ? `${rounded.format(value)}\u00a0ms` : `${rounded.format(value / 1000)}\u00a0s`,
  }
}

export type Format = ReturnType<typeof createFormat>

/** Shows every decimal of the amount: for some currencies `Intl` has fewer than ISO 4217. */
function money(tag: string, amount: number | DecimalAmount, currency: string): string {
  const decimals = String(amount).split('.')[1]?.length ?? 0
  const standard = new Intl.NumberFormat(tag, { style: 'currency', currency })
  const digits = standard.resolvedOptions().maximumFractionDigits ?? 2
  if (decimals <= digits) return standard.format(amount)
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount)
}
