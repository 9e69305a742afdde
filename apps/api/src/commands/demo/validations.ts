import type { ErrorCode } from '@saleproof/schema'
import { type CountKind, type CountRow, hourMs } from '../../usage/counts.ts'

/** Validations of each of 90 days: the last one ends when the demo is loaded. */
const ofDays = [
  177, 159, 179, 177, 177, 186, 177, 176, 176, 165, 194, 206, 197, 201, 210, 204, 211, 205, 196, 204, 205,
  204, 210, 215, 210, 208, 224, 215, 225, 223, 214, 232, 224, 236, 246, 230, 254, 230, 250, 240, 252, 253,
  249, 250, 237, 257, 251, 250, 254, 272, 282, 249, 284, 246, 289, 262, 266, 282, 291, 294, 283, 286, 276,
  302, 306, 272, 303, 280, 277, 291, 281, 301, 308, 298, 288, 303, 315, 308, 316, 309, 317, 337, 308, 305,
  335, 340, 339, 353, 338, 346,
]

/** How many of a thousand validations are in each hour of a day. */
const ofHours = [8, 3, 0, 0, 4, 9, 18, 27, 37, 48, 60, 71, 74, 81, 82, 84, 78, 72, 66, 55, 45, 35, 25, 18]

/** How many of a hundred validations end in each way. */
const shares: readonly (readonly [kind: CountKind, name: string, code: ErrorCode | '', share: number])[] = [
  ['key', 'demo', '', 90],
  ['key', 'demo', 'purchase_not_found', 7],
  ['key', 'demo', 'purchase_not_active', 2],
  ['key', 'demo', 'invalid_parameter', 1],
  ['item', '900001', '', 42],
  ['item', '900002', '', 21],
  ['item', '900003', '', 11],
  ['item', '900004', '', 6],
  ['item', '900005', '', 3],
  ['item', '900006', '', 2],
  ['item', '900007', '', 1],
  ['duration', '1', '', 30],
  ['duration', '2', '', 50],
  ['duration', '3', '', 15],
  ['duration', '4', '', 5],
]

/** The validations of the demo's customers, as the usage statistics count them. */
export function demoValidations(workspaceId: number, keyId: string, end: number): CountRow[] {
  const firstHour = Math.floor(end / hourMs) - ofDays.length * 24 + 1
  return shares
    .flatMap(([kind, name, code, share]) => {
      let due = 0
      return ofDays.flatMap((ofDay, day) =>
        ofHours.map((_, index): CountRow => {
          const hour = firstHour + day * 24 + index
          due += (ofDay * (ofHours[hour % 24] ?? 0) * share) / 100_000
          const count = Math.floor(due)
          due -= count
          return [workspaceId, hour, kind, kind === 'key' ? keyId : name, code, count]
        }),
      )
    })
    .filter(([, , , , , count]) => count > 0)
}
