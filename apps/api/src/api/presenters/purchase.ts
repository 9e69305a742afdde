import {
  formatMoney,
  formatTimestamp,
  type Purchase,
  type PurchaseBase,
  type PurchaseExtended,
  type Shape,
} from '@saleproof/schema'
import type { ItemModel, PurchaseModel } from '../../db/sqlite/prisma.ts'
import { presentExtendedItem, presentItemSummary } from './item.ts'

export type PurchaseRow = PurchaseModel & { item: ItemModel }

export const presentBasePurchase = (row: PurchaseRow): PurchaseBase => ({
  purchase_code: row.code,
  license_type: row.licenseType,
  price: formatMoney(row.price, row.currency),
  currency: row.currency,
  item: presentItemSummary(row.item),
  downloaded: row.downloaded,
  date: formatTimestamp(row.date),
})

export const presentExtendedPurchase = (row: PurchaseRow): PurchaseExtended => ({
  purchase_code: row.code,
  license_type: row.licenseType,
  currency: row.currency,
  item: presentExtendedItem(row.item),
  ...(row.item.support && row.supportedUntil && { supported_until: formatTimestamp(row.supportedUntil) }),
  downloaded: row.downloaded,
  date: formatTimestamp(row.date),
})

export const presentPurchase = (row: PurchaseRow, shape: Shape): Purchase =>
  shape === 'extended' ? presentExtendedPurchase(row) : presentBasePurchase(row)
