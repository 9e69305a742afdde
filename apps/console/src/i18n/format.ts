import type { Messages } from '../messages/en.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const steps = [
  ['second', 1, minute],
  ['minute', minute, hour],
  ['hour', hour, day],
  ['day', day, 30 * day],
] as const

/** Numbers, money and times as people write them, in the time zone of the browser. */
export function createFormat(tag: string, t: Messages) {
  const number = new Intl.NumberFormat(tag)
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })
  const exact = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'long' })
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'long' })

  const ago = (iso: string, now = Date.now()) => {
    const seconds = (Date.parse(iso) - now) / 1000
    if (Math.abs(seconds) < minute) return seconds < 0 ? t.time.justNow : t.time.soon
    const step = steps.find(([, , end]) => Math.abs(seconds) < end)
    return step ? relative.format(Math.round(seconds / step[1]), step[0]) : date.format(new Date(iso))
  }

  return {
    tag,
    number: (value: number) => number.format(value),
    compact: (value: number) => compact.format(value),
    percent: (share: number) => percent.format(share),
    money: (amount: number, currency: string) => money(tag, amount, currency),
    date: (iso: string) => date.format(new Date(iso)),
    dateTime: (iso: string) => dateTime.format(new Date(iso)),
    exact: (iso: string) => exact.format(new Date(iso)),
    ago,
    milliseconds: (value: number) =>
      value < 1000
        ? `${new Intl.NumberFormat(tag, { maximumSignificantDigits: 3 }).format(value)}\u00a0ms`
        : `${new Intl.NumberFormat(tag, { maximumSignificantDigits: 3 }).format(value / 1000)}\u00a0s`,
  }
}

export type Format = ReturnType<typeof createFormat>

/** As many digits as were paid, at least those of the currency: `Intl` knows fewer than ISO 4217 for some. */
function money(tag: string, amount: number, currency: string): string {
  const decimals = String(amount).split('.')[1]?.length ?? 0
  const usual = new Intl.NumberFormat(tag, { style: 'currency', currency })
  const digits = usual.resolvedOptions().maximumFractionDigits ?? 2
  if (decimals <= digits) return usual.format(amount)
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount)
}
