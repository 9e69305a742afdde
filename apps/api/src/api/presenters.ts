import type {
  Account,
  ItemBase,
  ItemExtended,
  ItemSummary,
  PurchaseBase,
  PurchaseExtended,
} from '@saleproof/schema'
import type { ConsoleItemDetail } from '@saleproof/schema/console'
import type { purchaseFields } from '@saleproof/schema/records'
import type { AccountModel, ItemModel, PurchaseModel } from '../db/prisma.ts'
import { accountTable } from '../records/account.ts'
import { itemTable } from '../records/item.ts'
import { createPresenter, createRecordPresenter } from '../records/present.ts'
import { purchaseTable } from '../records/purchase.ts'

export type PurchaseRow = PurchaseModel & { item: ItemModel }

const account = createPresenter(accountTable, 'base')
const baseItem = createPresenter(itemTable, 'base')
const extendedItem = createPresenter(itemTable, 'extended')
const itemSummary = createPresenter(itemTable, 'summary')
const itemRecord = createRecordPresenter<ConsoleItemDetail['record']>(itemTable, undefined)
type PurchaseFields = typeof purchaseFields
const basePurchase = createPresenter<PurchaseFields, 'base', ItemSummary>(purchaseTable, 'base')
const extendedPurchase = createPresenter<PurchaseFields, 'extended', ItemExtended>(purchaseTable, 'extended')

export const presentAccount = (row: AccountModel): Account => account(row)

export const presentItem = {
  base: (row: ItemModel): ItemBase => baseItem(row, row),
  extended: (row: ItemModel): ItemExtended => extendedItem(row, row),
}

/** An item in the import format, without its workspace. */
export const presentItemRecord = (row: ItemModel) => itemRecord(row)

export const presentPurchase = {
  base: (row: PurchaseRow): PurchaseBase => basePurchase(row, row.item, itemSummary(row.item, row.item)),
  extended: (row: PurchaseRow): PurchaseExtended =>
    extendedPurchase(row, row.item, presentItem.extended(row.item)),
}
