import type { ResponseBodies, Shape } from '@saleproof/schema'
import type { ActiveKey } from '../domain/api-keys.ts'
import type { Purchases } from '../domain/purchases.ts'
import { ApiError } from '../http/api-error.ts'
import { type PurchaseRow, presentPurchase } from './presenters.ts'

/** The active purchase of a code; the console uses it as well, to explain why a code fails. */
export async function validPurchase(
  purchases: Purchases,
  key: ActiveKey,
  code: string,
): Promise<PurchaseRow> {
  const row = await purchases.find(key, code)
  if (!row) throw new ApiError('purchase_not_found')
  if (row.state !== 'active') throw new ApiError('purchase_not_active')
  return row
}

export const presentValidation = (row: PurchaseRow, shape: Shape): ResponseBodies['validatePurchase'] => ({
  status: 'success',
  data: { purchase: presentPurchase[shape](row) },
})
