import type { AccountRow, ItemRow, PurchaseRow } from './stored-rows.ts'

// The extended shape, written as anyone would write it. All data sets are in dollars.

const money = (cents: number) => cents / 100
const moment = (stored: string) => `${stored.slice(0, 19)}Z`

export const presentAccount = (row: AccountRow) => ({
  name: { firstname: row.firstname, lastname: row.lastname, full_name: row.fullName },
  username: row.username,
  email: row.email,
  balance: money(row.balance),
  currency: row.currency,
  profile: {
    heading: row.heading,
    description: row.description,
    contact: { email: row.contactEmail },
    social_links: JSON.parse(row.socialLinks),
    media: { avatar: row.avatar, cover: row.cover },
  },
  registered_at: moment(row.registeredAt),
})

function presentMedia(row: ItemRow) {
  const screenshots = JSON.parse(row.screenshots)
  return {
    thumbnail: row.thumbnail,
    preview_image: row.kind === 'audio' ? undefined : row.previewImage,
    preview_video: row.previewVideo ?? undefined,
    preview_audio: row.previewAudio ?? undefined,
    screenshots: screenshots.length > 0 ? screenshots : undefined,
  }
}

export const presentItem = (row: ItemRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  category: row.category,
  sub_category: row.subCategory,
  options: JSON.parse(row.options),
  version: row.version,
  demo_link: row.demoLink,
  tags: JSON.parse(row.tags),
  media: presentMedia(row),
  price: { regular: money(row.priceRegular), extended: money(row.priceExtended) },
  currency: row.currency,
  published_at: moment(row.publishedAt),
})

export const presentPurchase = (row: PurchaseRow, item: ItemRow) => ({
  purchase_code: row.code,
  license_type: row.licenseType,
  currency: row.currency,
  item: presentItem(item),
  supported_until: item.support && row.supportedUntil !== null ? moment(row.supportedUntil) : undefined,
  downloaded: row.downloaded === 1,
  date: moment(row.date),
})

const failure = (msg: string) => ({ status: 'error', msg })

export const invalidRequest = failure('Invalid request')
export const itemNotFound = failure('Item Not Found')
export const invalidPurchaseCode = failure('Invalid purchase code')
export const notFound = failure('Not found')
