import type { AccountModel, ItemModel, PurchaseModel } from '@saleproof/api/src/generated/sqlite/models.ts'

// The extended shape once more, from what Prisma gives: dates, big integers, parsed lists.

const money = (cents: bigint) => Number(cents) / 100
const moment = (date: Date) => date.toISOString().replace('.000', '')

export const presentAccount = (row: AccountModel) => ({
  name: { firstname: row.firstname, lastname: row.lastname, full_name: row.fullName },
  username: row.username,
  email: row.email,
  balance: money(row.balance),
  currency: row.currency,
  profile: {
    heading: row.heading,
    description: row.description,
    contact: { email: row.contactEmail },
    social_links: row.socialLinks,
    media: { avatar: row.avatar, cover: row.cover },
  },
  registered_at: moment(row.registeredAt),
})

function presentMedia(row: ItemModel) {
  const screenshots = row.screenshots as string[]
  return {
    thumbnail: row.thumbnail,
    preview_image: row.kind === 'audio' ? undefined : row.previewImage,
    preview_video: row.previewVideo ?? undefined,
    preview_audio: row.previewAudio ?? undefined,
    screenshots: screenshots.length > 0 ? screenshots : undefined,
  }
}

export const presentItem = (row: ItemModel) => ({
  id: Number(row.id),
  name: row.name,
  description: row.description,
  category: row.category,
  sub_category: row.subCategory,
  options: row.options,
  version: row.version,
  demo_link: row.demoLink,
  tags: row.tags,
  media: presentMedia(row),
  price: { regular: money(row.priceRegular), extended: money(row.priceExtended) },
  currency: row.currency,
  published_at: moment(row.publishedAt),
})

export const presentPurchase = (row: PurchaseModel & { item: ItemModel }) => ({
  purchase_code: row.code,
  license_type: row.licenseType,
  currency: row.currency,
  item: presentItem(row.item),
  supported_until: row.item.support && row.supportedUntil ? moment(row.supportedUntil) : undefined,
  downloaded: row.downloaded,
  date: moment(row.date),
})
