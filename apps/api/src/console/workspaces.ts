import type { Recorder } from '../audit/append.ts'
import type { AccountModel, Prisma } from '../db/sqlite/prisma.ts'
import type { Write } from '../db/transaction.ts'
import { createWorkspaces } from '../domain/workspaces.ts'
import { invalid } from './console-error.ts'
import type { Handlers } from './handler.ts'
import { presentWorkspace } from './present.ts'

interface WorkspaceHandlersOptions {
  prisma: Prisma
  write: Write
  clock: () => Date
  recorderOf: (account: Pick<AccountModel, 'id'>) => Recorder
}

const isTaken = (error: unknown) => (error as { code?: unknown }).code === 'P2002'

/** The workspaces of an owner. */
export function createWorkspaceHandlers({
  prisma,
  write,
  clock,
  recorderOf,
}: WorkspaceHandlersOptions): Pick<Handlers, 'createWorkspace' | 'getWorkspace' | 'updateWorkspace'> {
  const workspacesOf = (account: AccountModel) =>
    createWorkspaces({ prisma, write, clock, record: recorderOf(account) })

  return {
    async createWorkspace({ owner: { account }, request: { slug, name } }) {
      try {
        const made = await workspacesOf(account).create({ owner: account.username, slug, name })
        return presentWorkspace(made)
      } catch (error) {
        // Somebody else was faster.
        throw isTaken(error) ? invalid('slug', 'slug_taken') : error
      }
    },

    getWorkspace: async ({ workspace }) => presentWorkspace(workspace),

    async updateWorkspace({ owner: { account }, workspace, request }) {
      return presentWorkspace(await workspacesOf(account).update(workspace.id, request))
    },
  }
}
