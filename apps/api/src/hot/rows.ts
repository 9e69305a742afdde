import type { Shape } from '@saleproof/schema'
import type { AccountModel, ItemModel } from '../database/open.ts'
import { presentAccount } from '../presenters/account.ts'
import { presentItem, presentReducedItem } from '../presenters/item.ts'

/** A row as the driver gives it: lists and maps as JSON, dates as the text that Prisma writes, integers as numbers. */
export type ItemRow = Record<string, string | number | null> & { id: number; support: number; url: string }
export type AccountRow = Record<string, string | number | null>

export interface PurchaseRow {
  code: string
  itemId: number
  licenseType: string
  price: number
  currency: string
  supportedUntil: string | null
  downloaded: number
  date: string
  state: 'active' | 'refunded' | 'revoked'
}

/** The row as Prisma gives it, so that one presenter serves both ways. */
function itemModel(row: ItemRow): ItemModel {
  return {
    ...row,
    id: BigInt(row.id),
    priceRegular: BigInt(row.priceRegular as number),
    priceExtended: BigInt(row.priceExtended as number),
    options: JSON.parse(row.options as string),
    tags: JSON.parse(row.tags as string),
    screenshots: JSON.parse(row.screenshots as string),
    support: row.support === 1,
    publishedAt: new Date(row.publishedAt as string),
  } as unknown as ItemModel
}

export const itemJson = (row: ItemRow, shape: Shape) => JSON.stringify(presentItem(itemModel(row), shape))
export const reducedItemJson = (row: ItemRow) => JSON.stringify(presentReducedItem(itemModel(row)))

export const accountJson = (row: AccountRow) =>
  JSON.stringify(
    presentAccount({
      ...row,
      balance: BigInt(row.balance as number),
      socialLinks: JSON.parse(row.socialLinks as string),
      registeredAt: new Date(row.registeredAt as string),
    } as unknown as AccountModel),
  )
