import type { Purchase, PurchaseBase, PurchaseExtended, Shape } from '@saleproof/schema'
import type { ItemModel, PurchaseModel } from '../../db/prisma.ts'
import { createPresenter } from '../../records/present.ts'
import { purchaseTable } from '../../records/purchase.ts'
import { presentExtendedItem, presentItemSummary } from './item.ts'

export type PurchaseRow = PurchaseModel & { item: ItemModel }

const base = createPresenter<PurchaseBase>(purchaseTable, 'base')
const extended = createPresenter<PurchaseExtended>(purchaseTable, 'extended')

export const presentBasePurchase = (row: PurchaseRow): PurchaseBase =>
  base({ ...row, itemId: presentItemSummary(row.item) }, row.item)

export const presentExtendedPurchase = (row: PurchaseRow): PurchaseExtended =>
  extended({ ...row, itemId: presentExtendedItem(row.item) }, row.item)

export const presentPurchase = (row: PurchaseRow, shape: Shape): Purchase =>
  shape === 'extended' ? presentExtendedPurchase(row) : presentBasePurchase(row)
