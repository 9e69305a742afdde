import { type Account, formatMoney, formatTimestamp } from '@saleproof/schema'
import type { AccountModel } from '../../db/sqlite/prisma.ts'

export const presentAccount = (row: AccountModel): Account => ({
  name: { firstname: row.firstname, lastname: row.lastname, full_name: row.fullName },
  username: row.username,
  email: row.email,
  balance: formatMoney(row.balance, row.currency),
  currency: row.currency,
  profile: {
    heading: row.heading,
    description: row.description,
    contact: { email: row.contactEmail },
    social_links: row.socialLinks as Record<string, string>,
    media: { avatar: row.avatar, cover: row.cover },
  },
  registered_at: formatTimestamp(row.registeredAt),
})
