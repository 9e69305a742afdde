import type { ErrorCode } from '@saleproof/schema'
import { type CountRow, hourMs } from '../../usage/counts.ts'
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
export function demoValidations(workspaceId: string, keyId: string, end: number): CountRow[] {
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
