import type { Prisma } from '../db/prisma.ts'

export function createAccounts({ prisma }: { prisma: Prisma }) {
  return {
    /** The account that owns a workspace. */
    ofWorkspace: (workspaceId: string) =>
      prisma.account.findFirst({ where: { workspaces: { some: { id: workspaceId } } } }),
  }
}

export type Accounts = ReturnType<typeof createAccounts>
