import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleAccount, ConsoleWorkspace } from '@saleproof/schema/console'
import { presentAccount } from '../api/presenters/account.ts'
import type { AccountModel } from '../db/sqlite/prisma.ts'
import type { WorkspaceModel } from './handler.ts'

export const presentOwner = (row: AccountModel): ConsoleAccount => ({ id: row.id, ...presentAccount(row) })

export const presentWorkspace = (row: WorkspaceModel): ConsoleWorkspace => ({
  slug: row.slug,
  name: row.name,
  shape: row.shape,
  locale: row.locale,
  created_at: formatTimestamp(row.createdAt),
})
