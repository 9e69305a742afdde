import type { Item, ItemBase, ItemExtended, ItemSummary, Shape } from '@saleproof/schema'
import type { ConsoleItemDetail } from '@saleproof/schema/console'
import type { ItemModel } from '../../db/prisma.ts'
import { itemTable } from '../../records/item.ts'
import { createPresenter } from '../../records/present.ts'

const base = createPresenter<ItemBase>(itemTable, 'base')
const extended = createPresenter<ItemExtended>(itemTable, 'extended')
const summary = createPresenter<ItemSummary>(itemTable, 'summary')
const record = createPresenter<ConsoleItemDetail['record']>(itemTable, 'record')

export const presentBaseItem = (row: ItemModel): ItemBase => base(row, row)

export const presentExtendedItem = (row: ItemModel): ItemExtended => extended(row, row)

export const presentItem = (row: ItemModel, shape: Shape): Item =>
  shape === 'extended' ? presentExtendedItem(row) : presentBaseItem(row)

/** An item in the import format, without its workspace. */
export const presentItemRecord = (row: ItemModel) => record(row)

/** The item inside a purchase in the base shape. */
export const presentItemSummary = (row: ItemModel): ItemSummary => summary(row, row)
