import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleAccount, ConsoleWorkspace } from '@saleproof/schema/console'
import { presentAccount } from '../api/presenters.ts'
import { DatabaseError } from '../db/errors.ts'
import type { AccountModel } from '../db/prisma.ts'
import { createProfiles } from '../domain/profiles.ts'
import { createWorkspaces } from '../domain/workspaces.ts'
import { invalid } from './console-error.ts'
import type { HandlerOptions, Handlers, WorkspaceModel } from './handler.ts'

export const presentOwner = (row: AccountModel): ConsoleAccount => ({ id: row.id, ...presentAccount(row) })

export const presentWorkspace = (row: WorkspaceModel): ConsoleWorkspace => ({
  slug: row.slug,
  name: row.name,
  shape: row.shape,
  locale: row.locale,
  created_at: formatTimestamp(row.createdAt),
})

type ProfileHandlers = Pick<
  Handlers,
  'getAccount' | 'updateAccount' | 'createWorkspace' | 'getWorkspace' | 'updateWorkspace'
>

/** An owner's account and workspaces. */
export function createProfileHandlers(options: HandlerOptions): ProfileHandlers {
  const { prisma, write, clock, credentials, recorderOf } = options
  const workspacesOf = (account: AccountModel) =>
    createWorkspaces({ prisma, write, clock, record: recorderOf(account) })

  return {
    getAccount: async ({ owner }) => presentOwner(owner.account),

    async updateAccount({ owner: { account }, request }) {
      const { current_password: password, ...change } = request
      if (change.email !== undefined && change.email !== account.email) {
        if (password === undefined) throw invalid('current_password', 'required')
        await credentials.confirm(account, password)
      }
      const profiles = createProfiles({ write, record: recorderOf(account) })
      return presentOwner(await profiles.update(account.id, change))
    },

    async createWorkspace({ owner: { account }, request: { slug, name } }) {
      try {
        const workspaces = workspacesOf(account)
        return presentWorkspace(await workspaces.create({ owner: account.username, slug, name }))
      } catch (error) {
        // Another request created it after the check.
        const isTaken = error instanceof DatabaseError && error.kind === 'not_unique'
        throw isTaken ? invalid('slug', 'slug_taken') : error
      }
    },

    getWorkspace: async ({ workspace }) => presentWorkspace(workspace),

    async updateWorkspace({ owner: { account }, workspace, request }) {
      return presentWorkspace(await workspacesOf(account).update(workspace.id, request))
    },
  }
}
