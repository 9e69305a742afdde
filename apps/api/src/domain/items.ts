import type { Prisma } from '../db/prisma.ts'

export function createItems({ prisma }: { prisma: Prisma }) {
  return {
    /** Every item of a workspace, newest first. */
    all: (workspaceId: string) =>
      prisma.item.findMany({ where: { workspaceId }, orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }] }),

    byId: (workspaceId: string, id: number) =>
      prisma.item.findUnique({ where: { workspaceId_id: { workspaceId, id: BigInt(id) } } }),
  }
}

export type Items = ReturnType<typeof createItems>
