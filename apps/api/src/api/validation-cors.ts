import type { ResponseBodies, Shape } from '@saleproof/schema'
import type { KeyHolder } from '../domain/api-keys.ts'
import type { Purchases } from '../domain/purchases.ts'
import { ApiError } from '../http/api-error.ts'
import { type PurchaseRow, presentPurchase } from './presenters/purchase.ts'

/** The purchase that a code proves to whoever holds a key; the console asks the same when it tells why a code fails. */
export async function validPurchase(
  purchases: Purchases,
  key: KeyHolder,
  code: string,
): Promise<PurchaseRow> {
  const row = await purchases.find(key, code)
  if (!row) throw new ApiError('purchase_not_found')
  if (row.state !== 'active') throw new ApiError('purchase_not_active')
  return row
}

export const presentValidation = (row: PurchaseRow, shape: Shape): ResponseBodies['validatePurchase'] => ({
  status: 'success',
  data: { purchase: presentPurchase(row, shape) },
})
