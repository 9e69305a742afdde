import type { ErrorCode } from '@saleproof/schema'
import { type CountRow, hourMs } from '../../usage/counts.ts'
import { purchaseRef } from '../../usage/purchase-use.ts'
import type { PurchaseUse } from '../../usage/usage-store.ts'
import { demoItems } from './catalogue.ts'

/** What happened in the demo workspace: 90 days of sales and validations. The same each time, but for the day on which it ends. */

const days = 90
const dayMs = 24 * hourMs
export const saleCount = 320

/** A fraction from 0 to 1 that looks random and follows from its argument. */
const fraction = (seed: number) => {
  const value = Math.sin(seed + 1) * 10_000
  return value - Math.floor(value)
}

/** More sales of the first items than of the last, and more lately than 90 days ago. The last sale is made at `end`. */
function saleAt(index: number, end: number) {
  const age = days * (1 - (index / (saleCount - 1)) ** 0.8)
  const hours = index === saleCount - 1 ? 0 : fraction(index) * 12
  const popularity = index === 0 ? 0 : fraction(index * 7) ** 1.7
  // A fraction of the length is below the length.
  const item = demoItems[Math.floor(demoItems.length * popularity)]!
  return { item, bought: Math.floor((end - age * dayMs - hours * hourMs) / 1000) * 1000 }
}

/** Refunds follow their sale within two weeks. */
function stateOf(index: number, bought: number, end: number) {
  if (index % 23 !== 17) return { state: index % 71 === 40 ? 'revoked' : 'active' }
  const refunded = bought + fraction(index * 3) * Math.min(14 * dayMs, end - bought)
  return { state: 'refunded', refunded_at: new Date(refunded).toISOString() }
}

/** A sale as a record of an import. Some are refunded or revoked; the first one is always valid. */
export function demoSale(index: number, code: string, end: number) {
  const { item, bought } = saleAt(index, end)
  const license = index % 9 === 8 ? 'Extended' : 'Regular'
  return {
    type: 'purchase',
    item: item.id,
    purchase_code: code,
    license_type: license,
    price: license === 'Extended' ? item.price.extended : item.price.regular,
    currency: item.currency,
    supported_until: item.support && index % 5 !== 4 ? new Date(bought + 182 * dayMs).toISOString() : null,
    downloaded: index % 4 !== 3,
    date: new Date(bought).toISOString(),
    ...stateOf(index, bought, end),
  }
}

/** Records that were imported together. */
interface DemoImport {
  at: number
  actor: 'cli' | 'admin-import' | 'owner'
  records: readonly object[]
}

const fileMs = 10 * dayMs

type DemoSale = ReturnType<typeof demoSale>

/**
 * How a sale came in: the first with the demo, a few by hand, the last that are refunded by a program, the others by a file every ten days.
 * An import takes a while, so there are not many.
 */
function arrivalOf(index: number, { date, state }: DemoSale, end: number): Omit<DemoImport, 'records'> {
  const sold = Date.parse(date)
  if (index === 0) return { at: end - days * dayMs, actor: 'cli' }
  if (index % 80 === 79) return { at: sold, actor: 'owner' }
  const at = end - Math.floor((end - sold) / fileMs) * fileMs
  return state !== 'active' && at === end
    ? { at: sold + 60_000, actor: 'admin-import' }
    : { at, actor: 'cli' }
}

/** When the owner refunded or revoked a sale, if so. */
const changeOf = (index: number, sale: DemoSale, end: number): number | undefined =>
  sale.state === 'active' ? undefined : Math.min(arrivalOf(index, sale, end).at + 1.3 * dayMs, end)

interface DemoHistory {
  /** Everything but the purchases. */
  base: readonly object[]
  codes: readonly string[]
  end: number
  others: readonly DemoImport[]
}

/** How the records of the demo came in, oldest first. Interrupted after the first import, it can be tried as well. */
export function demoImports({ base, codes, end, others }: DemoHistory): DemoImport[] {
  const imports = codes.flatMap((code, index): DemoImport[] => {
    const sale = demoSale(index, code, end)
    const arrival = { ...arrivalOf(index, sale, end), records: [{ ...sale, state: 'active' }] }
    const changedAt = changeOf(index, sale, end)
    return changedAt === undefined ? [arrival] : [arrival, { at: changedAt, actor: 'owner', records: [sale] }]
  })
  const start = end - days * dayMs
  const opening: DemoImport = { at: start, actor: 'cli', records: base }
  const groups = Map.groupBy([opening, ...imports, ...others], ({ at, actor }) => `${at} ${actor}`)
  return [...groups.values()]
    .map(([first, ...more]): DemoImport => {
      // A group has a first one.
      return { ...first!, records: [...first!.records, ...more.flatMap(({ records }) => records)] }
    })
    .sort((one, other) => one.at - other.at)
}

/** How often the demo's customers validated each purchase: most of them a few times, until it was refunded. */
export function demoPurchaseUse(workspaceId: number, codes: readonly string[], end: number): PurchaseUse[] {
  return codes.flatMap((code, index): PurchaseUse[] => {
    const sale = demoSale(index, code, end)
    const from = arrivalOf(index, sale, end).at
    const until = changeOf(index, sale, end) ?? end
    const at = (share: number) => Math.floor(from + (until - from) * share)
    const count = index === 0 ? 42 : Math.floor(fraction(index * 5) ** 2 * 30)
    const firstAt = at(fraction(index * 3) / 20)
    const lastAt = count === 1 ? firstAt : at(0.5 + fraction(index * 11) / 2)
    const purchase = purchaseRef(workspaceId, code)
    return count === 0 ? [] : [{ purchase, itemId: sale.item, firstAt, lastAt, count }]
  })
}

/** Of a hundred validations. */
const failures: readonly (readonly [ErrorCode, number])[] = [
  ['purchase_not_found', 7],
  ['purchase_not_active', 2],
  ['invalid_parameter', 1],
]

/** The part of all validations in a bucket of durations, by its index. */
const durations: readonly (readonly [number, number])[] = [
  [1, 0.3],
  [2, 0.5],
  [3, 0.15],
  [4, 0.05],
]

/** More validations in the afternoon than at night. */
function validationsIn(hour: number, lastHour: number): number {
  const growth = 1 - (lastHour - hour) / (days * 24) / 2
  const daily = 1 + Math.sin(((hour % 24) / 24 - 0.35) * 2 * Math.PI)
  return Math.round(14 * growth * daily * (0.7 + 0.6 * fraction(hour)))
}

/** The validations of the demo's customers, as the usage statistics count them. */
export function demoValidations(workspaceId: number, keyId: string, end: number): CountRow[] {
  const lastHour = Math.floor(end / hourMs)
  const rows: CountRow[] = []
  for (let hour = lastHour - days * 24; hour <= lastHour; hour++) {
    const total = validationsIn(hour, lastHour)
    const failed = failures.map(
      ([code, share]) => [code, Math.round((total * share) / 100 + fraction(hour * share) - 0.5)] as const,
    )
    const valid = total - failed.reduce((sum, [, count]) => sum + count, 0)
    const items = demoItems.map(({ id }, index) => [id, Math.floor(valid / 2 ** (index + 1))] as const)
    rows.push(
      [workspaceId, hour, 'key', keyId, '', valid],
      ...failed.map(([code, count]): CountRow => [workspaceId, hour, 'key', keyId, code, count]),
      ...items.map(([id, count]): CountRow => [workspaceId, hour, 'item', String(id), '', count]),
      ...durations.map(
        ([bucket, share]): CountRow => [
          workspaceId,
          hour,
          'duration',
          String(bucket),
          '',
          Math.round(total * share),
        ],
      ),
    )
  }
  return rows.filter(([, , , , , count]) => count > 0)
}

/** The codes that the demo's customers failed with last: of refunded sales, and typos of valid ones. */
export function demoFailedCodes(end: number, codeOf: (index: number) => string) {
  const recent = Array.from({ length: 60 }, (_, back) => saleCount - 1 - back)
  const notActive = recent.filter((index) => demoSale(index, '', end).state !== 'active')
  const typos = recent.filter((index) => index % 9 === 5)
  const failedAt = (index: number, step: number) => ({
    lastAt: Math.floor(end - (saleCount - index) * step * fraction(index)),
    count: 1 + Math.floor(fraction(index * 11) * 6),
  })
  return [
    ...notActive.map((index) => ({
      reason: 'purchase_not_active' as const,
      code: codeOf(index),
      ...failedAt(index, 5 * hourMs),
    })),
    ...typos.map((index) => ({
      reason: 'purchase_not_found' as const,
      code: codeOf(index).replace(/[A-Z]/, (letter) => (letter === 'Q' ? 'X' : 'Q')),
      ...failedAt(index, 3 * hourMs),
    })),
  ]
}
