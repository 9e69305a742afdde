import type { Prisma } from '../db/prisma.ts'

export function createAccounts({ prisma }: { prisma: Prisma }) {
  return {
    ofWorkspace: (workspaceId: number) =>
      prisma.account.findFirst({ where: { workspaces: { some: { id: workspaceId } } } }),
  }
}

export type Accounts = ReturnType<typeof createAccounts>
