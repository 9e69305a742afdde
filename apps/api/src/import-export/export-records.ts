import { formatMoney, formatTimestamp } from '@saleproof/schema'

/** A row as the driver gives it: texts, numbers, bytes. */
export type Row = Readonly<Record<string, unknown>>

const json = (value: unknown): unknown => JSON.parse(value as string)
const moment = (value: unknown) => formatTimestamp(new Date(value as string))
const money = (minor: unknown, { currency }: Row) => formatMoney(minor as number, currency as string)

/** A member for each value that is set. */
const whereSet = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

const momentOrNull = (value: unknown) => (value === null ? null : moment(value))

export const accountRecord = (row: Row) => ({
  type: 'account',
  username: row.username,
  email: row.email,
  name: { firstname: row.firstname, lastname: row.lastname, full_name: row.fullName },
  balance: money(row.balance, row),
  currency: row.currency,
  profile: {
    heading: row.heading,
    description: row.description,
    contact: { email: row.contactEmail },
    social_links: json(row.socialLinks),
    media: { avatar: row.avatar, cover: row.cover },
  },
  registered_at: moment(row.registeredAt),
  ...whereSet({ password_hash: row.passwordHash }),
})

export const workspaceRecord = (row: Row) => ({
  type: 'workspace',
  slug: row.slug,
  name: row.name,
  owner: row.owner,
  ...whereSet({ shape: row.shape, locale: row.locale }),
})

interface Opener {
  open: (sealed: Uint8Array, hash: string) => string
}

export const apiKeyRecord = (row: Row, vault: Opener) => ({
  type: 'api_key',
  workspace: row.workspace,
  name: row.name,
  key: vault.open(row.keyCipher as Uint8Array, row.keyHash as string),
  publishable: row.publishable === 1,
  items: json(row.items),
  ...whereSet({ expires_at: momentOrNull(row.expiresAt), revoked_at: momentOrNull(row.revokedAt) }),
})

export const itemRecord = (row: Row) => ({
  type: 'item',
  workspace: row.workspace,
  id: row.id,
  kind: row.kind,
  name: row.name,
  description: row.description,
  category: row.category,
  sub_category: row.subCategory,
  options: json(row.options),
  version: row.version,
  demo_link: row.demoLink,
  tags: json(row.tags),
  media: {
    thumbnail: row.thumbnail,
    preview_image: row.previewImage,
    ...whereSet({ preview_video: row.previewVideo, preview_audio: row.previewAudio }),
    screenshots: json(row.screenshots),
  },
  price: { regular: money(row.priceRegular, row), extended: money(row.priceExtended, row) },
  currency: row.currency,
  url: row.url,
  support: row.support === 1,
  published_at: moment(row.publishedAt),
})

export const purchaseRecord = (row: Row) => ({
  type: 'purchase',
  item: row.itemId,
  purchase_code: row.code,
  license_type: row.licenseType,
  price: money(row.price, row),
  currency: row.currency,
  ...whereSet({ supported_until: momentOrNull(row.supportedUntil) }),
  downloaded: row.downloaded === 1,
  date: moment(row.date),
  state: row.state,
})
