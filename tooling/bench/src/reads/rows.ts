// Rows as better-sqlite3 returns them: lists and links as JSON text, instants in milliseconds, money in cents.

export interface KeyRow {
  workspaceId: number
  expiresAt: number | null
  revokedAt: number | null
}

export interface AccountRow {
  username: string
  email: string
  firstname: string
  lastname: string
  fullName: string
  balance: number
  currency: string
  heading: string
  description: string
  contactEmail: string
  socialLinks: string
  avatar: string
  cover: string
  registeredAt: number
}

export interface ItemRow {
  id: number
  kind: string
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
  support: number
  publishedAt: number
}

export interface PurchaseRow {
  code: string
  itemId: number
  licenseType: string
  currency: string
  supportedUntil: number | null
  downloaded: number
  date: number
  state: string
}

export const isUsable = ({ expiresAt, revokedAt }: KeyRow) =>
  revokedAt === null && (expiresAt === null || expiresAt > Date.now())
