import type { OperationName, ResponseBodies, Shape } from '@saleproof/schema'
import type { Accounts } from '../domain/accounts.ts'
import type { ActiveKey } from '../domain/api-keys.ts'
import type { Items } from '../domain/items.ts'
import type { Purchases } from '../domain/purchases.ts'
import { ApiError } from '../http/api-error.ts'
import type { RequestState } from '../http/state.ts'
import type { RequiredParameters } from './parameters.ts'
import { type PurchaseRow, presentAccount, presentItem, presentPurchase } from './presenters.ts'

interface Call<Name extends OperationName> {
  state: RequestState
  key: ActiveKey
  shape: Shape
  parameters: RequiredParameters<Name>
}

/** What each operation does, once the request is authenticated, counted, allowed and its parameters are read. */
export type Handlers = {
  [Name in OperationName]: (call: Call<Name>) => Promise<ResponseBodies[Name]>
}

export interface Domain {
  accounts: Accounts
  items: Items
  purchases: Purchases
}

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

export const createHandlers = ({ accounts, items, purchases }: Domain): Handlers => ({
  async getAccount({ key }) {
    const row = await accounts.ofWorkspace(key.workspaceId)
    if (!row) throw new Error('a workspace without an account')
    return { status: 'success', data: presentAccount(row) }
  },

  async listItems({ key, shape }) {
    const rows = await items.all(key.workspaceId)
    if (rows.length === 0) throw new ApiError('no_items')
    return { status: 'success', items: rows.map((row) => presentItem[shape](row)) }
  },

  async getItem({ key, shape, parameters }) {
    const row = await items.byId(key.workspaceId, parameters.item_id)
    if (!row) throw new ApiError('item_not_found')
    return { status: 'success', item: presentItem[shape](row) }
  },

  async validatePurchase({ state, key, shape, parameters }) {
    state.sentCode = parameters.purchase_code
    const row = await validPurchase(purchases, key, parameters.purchase_code)
    const { code, itemId, licenseType, item } = row
    const supportedUntil = item.support ? row.supportedUntil?.getTime() : undefined
    state.validated = { code, itemId: Number(itemId), licenseType, supportedUntil }
    return presentValidation(row, shape)
  },
})
