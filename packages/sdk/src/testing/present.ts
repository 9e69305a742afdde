import {
  type Account,
  formatMoney,
  formatTimestamp,
  type ItemBase,
  type ItemExtended,
  type PurchaseBase,
  type PurchaseExtended,
  parseMoney,
  parseTimestamp,
} from '@saleproof/schema'
import type { AccountRecord, ItemRecord, PurchaseRecord } from './records.ts'

const money = (amount: number | string, currency: string): number => {
  const parsed = parseMoney(amount, currency)
  if (!('minor' in parsed)) throw new TypeError(`an amount of a record is wrong: ${parsed.problem}`)
  return formatMoney(parsed.minor, currency)
}

const moment = (text: string): string => {
  const date = parseTimestamp(text)
  if (!date) throw new TypeError('a moment of a record is not an ISO 8601 date and time with its offset')
  return formatTimestamp(date)
}

/** An account as the API shows it. */
export const presentAccount = ({
  name,
  username,
  email,
  balance,
  currency,
  profile,
  registered_at,
}: AccountRecord): Account => ({
  name,
  username,
  email,
  balance: money(balance, currency),
  currency,
  profile,
  registered_at: moment(registered_at),
})

const prices = ({ price, currency }: ItemRecord) => ({
  regular: money(price.regular, currency),
  extended: money(price.extended, currency),
})

const about = ({ id, name, description, category, sub_category, options }: ItemRecord) => ({
  id,
  name,
  description,
  category,
  sub_category,
  options: [...options],
})

/** An item as the API shows it in the base shape. */
export const presentBase = (item: ItemRecord): ItemBase => ({
  ...about(item),
  demo_link: item.demo_link,
  tags: [...item.tags],
  media: { preview_image: item.media.preview_image, screenshots: [...item.media.screenshots] },
  price: prices(item),
  currency: item.currency,
  published_at: moment(item.published_at),
})

/** An item as the API shows it in the extended shape. */
export function presentExtended(item: ItemRecord): ItemExtended {
  const { kind, media } = item
  return {
    ...about(item),
    version: item.version,
    demo_link: item.demo_link,
    tags: [...item.tags],
    media: {
      thumbnail: media.thumbnail,
      ...(kind !== 'audio' && { preview_image: media.preview_image }),
      ...(kind === 'video' && media.preview_video !== undefined && { preview_video: media.preview_video }),
      ...(kind === 'audio' && media.preview_audio !== undefined && { preview_audio: media.preview_audio }),
      ...(media.screenshots.length > 0 && { screenshots: [...media.screenshots] }),
    },
    price: prices(item),
    currency: item.currency,
    published_at: moment(item.published_at),
  }
}

/** A purchase as the API shows it in the base shape. */
export const presentPurchaseBase = (purchase: PurchaseRecord, item: ItemRecord): PurchaseBase => ({
  purchase_code: purchase.purchase_code,
  license_type: purchase.license_type,
  price: money(purchase.price, purchase.currency),
  currency: purchase.currency,
  item: { id: item.id, name: item.name, url: item.url, media: { preview_image: item.media.preview_image } },
  downloaded: purchase.downloaded,
  date: moment(purchase.date),
})

/** A purchase as the API shows it in the extended shape. */
export const presentPurchaseExtended = (purchase: PurchaseRecord, item: ItemRecord): PurchaseExtended => ({
  purchase_code: purchase.purchase_code,
  license_type: purchase.license_type,
  currency: purchase.currency,
  item: presentExtended(item),
  ...(item.support && purchase.supported_until && { supported_until: moment(purchase.supported_until) }),
  downloaded: purchase.downloaded,
  date: moment(purchase.date),
})
