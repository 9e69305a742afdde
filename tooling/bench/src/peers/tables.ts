import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// The service's tables as Drizzle knows them.

export const apiKeys = sqliteTable('ApiKey', {
  id: text().primaryKey(),
  workspaceId: text().notNull(),
  keyHash: text().notNull(),
  expiresAt: text(),
  revokedAt: text(),
})

export const workspaces = sqliteTable('Workspace', {
  id: text().primaryKey(),
  accountId: text().notNull(),
})

export const accounts = sqliteTable('Account', {
  id: text().primaryKey(),
  username: text().notNull(),
  email: text().notNull(),
  firstname: text().notNull(),
  lastname: text().notNull(),
  fullName: text().notNull(),
  balance: integer().notNull(),
  currency: text().notNull(),
  heading: text().notNull(),
  description: text().notNull(),
  contactEmail: text().notNull(),
  socialLinks: text().notNull(),
  avatar: text().notNull(),
  cover: text().notNull(),
  registeredAt: text().notNull(),
})

export const items = sqliteTable('Item', {
  id: integer().primaryKey(),
  workspaceId: text().notNull(),
  kind: text().notNull(),
  name: text().notNull(),
  description: text().notNull(),
  category: text().notNull(),
  subCategory: text().notNull(),
  options: text().notNull(),
  version: text().notNull(),
  demoLink: text().notNull(),
  tags: text().notNull(),
  thumbnail: text().notNull(),
  previewImage: text().notNull(),
  previewVideo: text(),
  previewAudio: text(),
  screenshots: text().notNull(),
  priceRegular: integer().notNull(),
  priceExtended: integer().notNull(),
  currency: text().notNull(),
  support: integer().notNull(),
  publishedAt: text().notNull(),
})

export const purchases = sqliteTable('Purchase', {
  workspaceId: text().notNull(),
  code: text().notNull(),
  itemId: integer().notNull(),
  licenseType: text().notNull(),
  currency: text().notNull(),
  supportedUntil: text(),
  downloaded: integer().notNull(),
  date: text().notNull(),
  state: text().notNull(),
})
