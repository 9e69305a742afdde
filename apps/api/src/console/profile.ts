import type { ConsoleAccount, ConsoleWorkspace } from '@saleproof/schema/console'
import { presentAccount } from '../api/presenters.ts'
import type { AccountModel, WorkspaceModel } from '../db/prisma.ts'
import type { Recorder } from '../domain/audit-log.ts'
import { requireOwnSignInNames } from '../domain/sign-in-names.ts'
import { createWorkspaces } from '../domain/workspaces.ts'
import { accountTable } from '../records/account.ts'
import { prismaColumns } from '../records/columns.ts'
import { invalid } from './console-error.ts'
import type { HandlerOptions, Handlers } from './handler.ts'

export const presentOwner = (row: AccountModel): ConsoleAccount => ({ id: row.id, ...presentAccount(row) })

export const presentWorkspace = (row: WorkspaceModel): ConsoleWorkspace => ({
  slug: row.slug,
  name: row.name,
  shape: row.shape,
  locale: row.locale,
  pass_hours: row.passHours,
})

/** An owner's account and workspaces. */
export function createProfileHandlers({ database, vault, clock, auth }: HandlerOptions) {
  const workspacesBy = (record: Recorder) => createWorkspaces({ ...database, vault, clock, record })

  return {
    async updateAccount({ owner: { account }, record, request }) {
      const { current_password: password, ...change } = request
      if (change.email !== undefined && change.email !== account.email) {
        if (password === undefined) throw invalid('current_password', 'required')
        await auth.credentials.confirm(account, password)
      }
      const { id } = account
      const row = await database.transact(async (tx) => {
        const data = prismaColumns(accountTable, change)
        const changed = await tx.account.update({ where: { id }, data })
        if (changed.email !== account.email) await requireOwnSignInNames(tx, id)
        await record(tx, { action: 'account.changed', subject: id })
        return changed
      }, id)
      return presentOwner(row)
    },

    // The same request again makes no other.
    async createWorkspace({ owner: { account }, record, request: { slug, name } }) {
      try {
        const row = await workspacesBy(record).create({ owner: account.username, slug, name })
        return presentWorkspace(row)
      } catch (error) {
        // Another request may have created it after the check; the account may be gone as well.
        const taken = await database.prisma.workspace.findUnique({ where: { slug } })
        if (taken?.accountId === account.id && taken.name === name) return presentWorkspace(taken)
        throw taken ? invalid('slug', 'slug_taken') : error
      }
    },

    async updateWorkspace({ record, workspace, request: { pass_hours: passHours, ...change } }) {
      if (passHours !== undefined) Object.assign(change, { passHours })
      return presentWorkspace(await workspacesBy(record).update(workspace.id, change))
    },
  } satisfies Partial<Handlers>
}
