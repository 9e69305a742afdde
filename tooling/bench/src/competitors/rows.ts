// Rows as better-sqlite3 returns them: lists and links as JSON text, instants as ISO text, money in cents.

export interface KeyRow {
  workspaceId: string
  expiresAt: string | null
  revokedAt: string | null
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
  registeredAt: string
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
  publishedAt: string
}

export interface PurchaseRow {
  code: string
  itemId: number
  licenseType: string
  currency: string
  supportedUntil: string | null
  downloaded: number
  date: string
  state: string
}

export const isUsable = ({ expiresAt, revokedAt }: KeyRow) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())
