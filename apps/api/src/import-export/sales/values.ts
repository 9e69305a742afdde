import { Temporal } from 'temporal-polyfill'

/** How days are written that begin with a number of one or two digits. */
export type DateOrder = 'dmy' | 'mdy'

/** Exports write an apostrophe wherever a spreadsheet would begin a formula, whichever separator it splits cells by. */
const guards =
  /(^|[\r\n\t,;:|])'(?=['"]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])|( )'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20](?! ))/g

/** A cell without the space around it, and without what keeps a spreadsheet from changing it. */
export function cleanCell(cell = ''): string {
  const text = cell.trim()
  if (!text.includes("'") && !text.startsWith('=')) return text
  return text.replace(/^="(.*)"$/s, '$1').replace(guards, '$1$2')
}

/** A number with the sign of a currency or its name, whose dot is no part of the number: `Rs.50`. */
const amount = /^(\D{0,5}?)((?:(?<!\p{L})[.,])?\d[\d., \u00a0\u202f'\u2019]*)(\D{0,5})$/u

/**
 * An amount as a decimal number: `1.234,50` and `1,234.50` are the same; signs of currencies and spaces say nothing. A refund may have a
 * minus or brackets. Any other text stays as it is.
 */
export function toAmount(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text)) return text
  const [, before = '', number, after = ''] = amount.exec(text) ?? []
  if (number === undefined) return text.trim()
  const sign = /[-(\u2212]/.test(before) || /[-\u2212]/.test(after) ? '-' : ''
  return sign + toDecimal(number.replace(/[^\d.,]/g, ''))
}

function toDecimal(digits: string): string {
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  const without = (part: string) => part.replace(/[.,]/g, '')
  // A mark that comes twice groups thousands.
  if (last === undefined || marks.filter((mark) => mark === last).length > 1) return without(digits)
  const at = digits.lastIndexOf(last)
  return `${without(digits.slice(0, at)) || '0'}.${digits.slice(at + 1)}`
}

export const isAmount = (text: string) => amount.test(text) && Number.isFinite(Number(toAmount(text)))

const yes = '1|true|yes|y|sim|s|lost|needs response|under review|charge refunded|test'
const no = '0|false|no|n|não|nao|won|warning closed|live'

const flags: ReadonlyMap<string, boolean> = new Map([
  ...yes.split('|').map((word) => [word, true] as const),
  ...no.split('|').map((word) => [word, false] as const),
])

/** Words in one form: `partially_refunded` and `Partially refunded` are the same. */
export const normalize = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** Undefined where it is unclear. */
export const readFlag = (text: string): boolean | undefined => flags.get(text) ?? flags.get(normalize(text))

/** What the state of a sale is in an export; `partial` is a refund of a part, `none` no sale, and `stock` none without an order. */
export type SaleState = 'active' | 'refunded' | 'revoked' | 'partial' | 'none' | 'stock'

const words: Readonly<Record<Exclude<SaleState, 'stock'>, string>> = {
  active:
    'active|paid|complete|completed|succeeded|success|successful|sold|delivered|publish|ativa|paga|pago',
  refunded: 'refunded|refund|fully refunded|reembolsada|reembolsado',
  revoked: 'revoked|chargeback|charged back|disputed|revogada|revogado',
  partial: 'partially refunded|partial refund|parcialmente reembolsada',
  none: 'failed|abandoned|voided|declined|incomplete|blocked|expired',
}

const states: ReadonlyMap<string, SaleState> = new Map(
  Object.entries(words).flatMap(([state, list]) =>
    list.split('|').map((word): [string, SaleState] => [word, state as SaleState]),
  ),
)

/** Undefined where it is unclear. */
export const readState = (text: string): SaleState | undefined => states.get(normalize(text))

const time = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]m)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?`
/** Longer texts are no times: to find that out takes the square of their length. */
const maxTime = 60
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}$`, 'i')
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})${time}$`, 'i')

interface Day {
  year: number
  month: number
  day: number
  /** Hour, minute, second, `am` or `pm`, and offset, as far as they are written. */
  clock: readonly (string | undefined)[]
}

/** Both parts of a day that may be day and month or month and day; undefined where it is clear. */
export function orderedParts(text: string): [first: number, second: number] | undefined {
  const [, first, separator, second] = (text.length <= maxTime && yearLast.exec(text)) || []
  return first === undefined || separator === '.' ? undefined : [Number(first), Number(second)]
}

function readDay(text: string, order: DateOrder): Day | undefined {
  if (text.length > maxTime) return undefined
  const iso = yearFirst.exec(text)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]), clock: iso.slice(4) }
  const last = yearLast.exec(text)
  if (!last) return undefined
  const [, one, separator, other, written, ...clock] = last
  const [day, month] = order === 'mdy' && separator !== '.' ? [other, one] : [one, other]
  const year = Number(written) + (written?.length === 2 ? 2000 : 0)
  return { year, month: Number(month), day: Number(day), clock }
}

const minute = 60_000
const dayLength = 24 * 60 * minute

function offsetMinutes(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Turns what clocks show in a time zone, as if it were UTC, into UTC. That is slow: of most days it is found out once. */
function createZone(timeZone: string) {
  const offsets = new Map<number, number>()
  function offsetAt(local: number): number {
    const shown = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime()
    return local - shown.toZonedDateTime(timeZone).epochMilliseconds
  }
  function offsetAtMidnight(day: number): number {
    const offset = offsets.get(day) ?? offsetAt(day * dayLength)
    if (offsets.size > 50_000) offsets.clear()
    offsets.set(day, offset)
    return offset
  }
  return function toUtc(local: number): number {
    const day = Math.floor(local / dayLength)
    const offset = offsetAtMidnight(day)
    // The clocks may change between two midnights.
    return local - (offset === offsetAtMidnight(day + 1) ? offset : offsetAt(local))
  }
}

const excelEpoch = 25_569
/** The number of a day in a spreadsheet; the time may be another number, or be written. */
const serialDay = /^(\d{5}(?:\.\d+)?)(?: (0?\.\d+)|( \d.*))?$/

/** Reads times of exports as ISO 8601 in UTC; undefined where a text is no time. A day alone begins at midnight in the time zone. */
export function createTimeReader(timeZone: string, order: DateOrder) {
  const toUtc = createZone(timeZone)
  const format = (utc: number) => `${new Date(utc).toISOString().slice(0, 19)}Z`
  return function readTime(text: string): string | undefined {
    const [, whole, fraction = '0', written] = serialDay.exec(text) ?? []
    if (whole) {
      const serial = Number(whole) + Number(fraction)
      if (serial < 20_000 || serial >= 80_000) return undefined
      const local = Math.round((serial - excelEpoch) * 86_400) * 1000
      return written ? readTime(new Date(local).toISOString().slice(0, 10) + written) : format(toUtc(local))
    }
    const read = readDay(text, order)
    if (!read) return undefined
    const { year, month, day, clock } = read
    const [hours = '0', minutes = '0', seconds = '0', half, offset] = clock
    const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours)
    const midnight = Date.UTC(year, month - 1, day)
    // A day that the month has not, or a month that the year has not, is one of another month.
    if (new Date(midnight).getUTCMonth() !== month - 1 || hour > 23 || Number(minutes) > 59) return undefined
    const local = midnight + ((hour * 60 + Number(minutes)) * 60 + Math.min(Number(seconds), 59)) * 1000
    return format(offset === undefined ? toUtc(local) : local - offsetMinutes(offset) * minute)
  }
}

export const isTime = (text: string) => /^\d{5}(\.\d+)?$/.test(text) || readDay(text, 'dmy') !== undefined

export const isTimeOfDay = (text: string) => /\d{1,2}:\d{2}|^0?\.\d+$/.test(text)
