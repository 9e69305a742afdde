import type { ConsoleRequests } from '@saleproof/schema/console'
import type { AccountModel } from '../db/prisma.ts'
import { accountTable } from '../records/account.ts'
import { prismaColumns } from '../records/columns.ts'
import type { Changes } from './audit-log.ts'
import { requireOwnSignInNames } from './sign-in-names.ts'

/** Fields that are left out stay unchanged. */
type ProfileChange = Omit<ConsoleRequests['updateAccount'], 'current_password'>

export function createProfiles({ transact, record }: Pick<Changes, 'transact' | 'record'>) {
  return {
    update: ({ id, email }: AccountModel, change: ProfileChange) =>
      transact(async (tx) => {
        const row = await tx.account.update({ where: { id }, data: prismaColumns(accountTable, change) })
        if (row.email !== email) await requireOwnSignInNames(tx, id)
        await record(tx, { action: 'account.changed', subject: id })
        return row
      }, id),
  }
}
