import {
  formatMoney,
  formatTimestamp,
  type Item,
  type ItemBase,
  type ItemExtended,
  type ItemSummary,
  type Shape,
} from '@saleproof/schema'
import type { ItemModel } from '../../db/sqlite/prisma.ts'

const prices = (row: ItemModel) => ({
  regular: formatMoney(row.priceRegular, row.currency),
  extended: formatMoney(row.priceExtended, row.currency),
})

export const presentBaseItem = (row: ItemModel): ItemBase => ({
  id: Number(row.id),
  name: row.name,
  description: row.description,
  category: row.category,
  sub_category: row.subCategory,
  options: row.options as string[],
  demo_link: row.demoLink,
  tags: row.tags as string[],
  media: { preview_image: row.previewImage, screenshots: row.screenshots as string[] },
  price: prices(row),
  currency: row.currency,
  published_at: formatTimestamp(row.publishedAt),
})

function extendedMedia(row: ItemModel): ItemExtended['media'] {
  const media: ItemExtended['media'] = { thumbnail: row.thumbnail }
  const screenshots = row.screenshots as string[]
  if (row.kind !== 'audio') media.preview_image = row.previewImage
  if (row.kind === 'video' && row.previewVideo !== null) media.preview_video = row.previewVideo
  if (row.kind === 'audio' && row.previewAudio !== null) media.preview_audio = row.previewAudio
  if (screenshots.length > 0) media.screenshots = screenshots
  return media
}

export const presentExtendedItem = (row: ItemModel): ItemExtended => ({
  id: Number(row.id),
  name: row.name,
  description: row.description,
  category: row.category,
  sub_category: row.subCategory,
  options: row.options as string[],
  version: row.version,
  demo_link: row.demoLink,
  tags: row.tags as string[],
  media: extendedMedia(row),
  price: prices(row),
  currency: row.currency,
  published_at: formatTimestamp(row.publishedAt),
})

export const presentItem = (row: ItemModel, shape: Shape): Item =>
  shape === 'extended' ? presentExtendedItem(row) : presentBaseItem(row)

/** The item inside a purchase in the base shape. */
export const presentItemSummary = (row: ItemModel): ItemSummary => ({
  id: Number(row.id),
  name: row.name,
  url: row.url,
  media: { preview_image: row.previewImage },
})
