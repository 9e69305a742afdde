import { formatMoney } from '@saleproof/schema'
import type { AccountModel, ItemModel } from '../../db/prisma.ts'
import { presentAccount } from '../presenters/account.ts'
import { presentItemSummary } from '../presenters/item.ts'

/** A row as the driver gives it: lists and maps as JSON, dates as the text that Prisma writes, integers as numbers. */
export type AccountRow = Record<string, string | number | null>

export interface ItemRow {
  id: number
  kind: 'image' | 'video' | 'audio'
  name: string
  description: string
  category: string
  subCategory: string
  options: string
  version: string
  demoLink: string
  tags: string
  thumbnail: string
  previewImage: string
  previewVideo: string | null
  previewAudio: string | null
  screenshots: string
  priceRegular: number
  priceExtended: number
  currency: string
  url: string
  support: number
  publishedAt: string
}

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

const text = JSON.stringify

/** `2024-04-27T12:00:00.000+00:00`, as Prisma writes it, in the form of the contract. */
export const timestamp = (stored: string) => `${stored.slice(0, 19)}Z`

function extendedMedia(row: ItemRow): string {
  const { kind, screenshots } = row
  const image = kind === 'audio' ? '' : `,"preview_image":${text(row.previewImage)}`
  const video =
    kind === 'video' && row.previewVideo !== null ? `,"preview_video":${text(row.previewVideo)}` : ''
  const audio =
    kind === 'audio' && row.previewAudio !== null ? `,"preview_audio":${text(row.previewAudio)}` : ''
  const shots = screenshots === '[]' ? '' : `,"screenshots":${screenshots}`
  return `{"thumbnail":${text(row.thumbnail)}${image}${video}${audio}${shots}}`
}

const baseMedia = (row: ItemRow) =>
  `{"preview_image":${text(row.previewImage)},"screenshots":${row.screenshots}}`

/**
 * An item as `presentItem` and `JSON.stringify` make it, put together from the row: lists are stored as the JSON that they are sent as, and
 * to read them only to write them again takes longer than all the rest. A property test compares the two.
 */
export function itemJson(row: ItemRow, shape: 'base' | 'extended'): string {
  const extended = shape === 'extended'
  return (
    `{"id":${row.id},"name":${text(row.name)},"description":${text(row.description)},"category":${text(row.category)},` +
    `"sub_category":${text(row.subCategory)},"options":${row.options},` +
    `${extended ? `"version":${text(row.version)},` : ''}"demo_link":${text(row.demoLink)},"tags":${row.tags},` +
    `"media":${extended ? extendedMedia(row) : baseMedia(row)},` +
    `"price":{"regular":${formatMoney(row.priceRegular, row.currency)},` +
    `"extended":${formatMoney(row.priceExtended, row.currency)}},` +
    `"currency":${text(row.currency)},"published_at":"${timestamp(row.publishedAt)}"}`
  )
}

export const itemSummaryJson = (row: ItemRow) =>
  JSON.stringify(presentItemSummary({ ...row, id: BigInt(row.id) } as unknown as ItemModel))

export const accountJson = (row: AccountRow) =>
  JSON.stringify(
    presentAccount({
      ...row,
      balance: BigInt(row.balance as number),
      socialLinks: JSON.parse(row.socialLinks as string),
      registeredAt: new Date(row.registeredAt as string),
    } as unknown as AccountModel),
  )
