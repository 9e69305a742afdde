// Rows as drivers return them: SQLite stores lists and links as JSON text, instants as ISO text and money in cents; Prisma
// converts them.

type Instant = string | Date
type Cents = number | bigint

export interface KeyRow {
  workspaceId: string
  expiresAt: Instant | null
  revokedAt: Instant | null
}

export interface AccountRow {
  username: string
  email: string
  firstname: string
  lastname: string
  fullName: string
  balance: Cents
  currency: string
  heading: string
  description: string
  contactEmail: string
  socialLinks: unknown
  avatar: string
  cover: string
  registeredAt: Instant
}

export interface ItemRow {
  id: number | bigint
  kind: string
  name: string
  description: string
  category: string
  subCategory: string
  options: unknown
  version: string
  demoLink: string
  tags: unknown
  thumbnail: string
  previewImage: string
  previewVideo: string | null
  previewAudio: string | null
  screenshots: unknown
  priceRegular: Cents
  priceExtended: Cents
  currency: string
  support: number | boolean
  publishedAt: Instant
}

export interface PurchaseRow {
  code: string
  itemId: number | bigint
  licenseType: string
  currency: string
  supportedUntil: Instant | null
  downloaded: number | boolean
  date: Instant
  state: string
}

export const money = (cents: Cents) => Number(cents) / 100
export const dateTime = (instant: Instant) =>
  `${(typeof instant === 'string' ? instant : instant.toISOString()).slice(0, 19)}Z`
export const json = (stored: unknown) => (typeof stored === 'string' ? JSON.parse(stored) : stored)

export const isUsable = ({ expiresAt, revokedAt }: KeyRow) =>
  revokedAt === null && (expiresAt === null || new Date(expiresAt).getTime() > Date.now())
