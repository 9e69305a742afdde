import type { ConsoleRequests } from '@saleproof/schema/console'
import type { Write } from '../db/prisma.ts'
import { accountTable } from '../records/account.ts'
import { prismaColumns } from '../records/columns.ts'
import type { Recorder } from './audit-log.ts'

/** Fields that are left out stay unchanged. */
type ProfileChange = Omit<ConsoleRequests['updateAccount'], 'current_password'>

export function createProfiles({ write, record }: { write: Write; record: Recorder }) {
  return {
    update: (id: string, change: ProfileChange) =>
      write(async (tx) => {
        const row = await tx.account.update({ where: { id }, data: prismaColumns(accountTable, change) })
        await record(tx, { action: 'account.changed', subject: id })
        return row
      }, id),
  }
}
