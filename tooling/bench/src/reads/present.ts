import type { AccountRow, ItemRow, PurchaseRow } from './rows.ts'

// The extended shape, as anyone would write it. All data sets are in dollars.

const money = (cents: number) => cents / 100
const dateTime = (stored: number) => `${new Date(stored).toISOString().slice(0, 19)}Z`

const presentAccount = (row: AccountRow) => ({
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
  registered_at: dateTime(row.registeredAt),
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

const presentItem = (row: ItemRow) => ({
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
  published_at: dateTime(row.publishedAt),
})

const presentPurchase = (row: PurchaseRow, item: ItemRow) => ({
  purchase_code: row.code,
  license_type: row.licenseType,
  currency: row.currency,
  item: presentItem(item),
  supported_until: item.support && row.supportedUntil !== null ? dateTime(row.supportedUntil) : undefined,
  downloaded: row.downloaded === 1,
  date: dateTime(row.date),
})

export interface Result {
  status: number
  body: object
}

const success = (data: object): Result => ({ status: 200, body: { status: 'success', ...data } })
const error = (status: number, msg: string): Result => ({ status, body: { status: 'error', msg } })

export const unauthorized = error(401, 'Invalid request')
export const notFound = error(404, 'Not found')

export const accountResult = (row: AccountRow) => success({ data: presentAccount(row) })
export const itemsResult = (rows: readonly ItemRow[]) => success({ items: rows.map(presentItem) })
export const itemResult = (row: ItemRow | undefined) =>
  row ? success({ item: presentItem(row) }) : error(404, 'Item Not Found')

/** Only active purchases are valid. */
export const purchaseResult = (row: PurchaseRow | undefined, item: ItemRow | undefined) =>
  row?.state === 'active' && item
    ? success({ data: { purchase: presentPurchase(row, item) } })
    : error(404, 'Invalid purchase code')
