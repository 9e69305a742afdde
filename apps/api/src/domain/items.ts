import type { Prisma } from '../db/prisma.ts'

export function createItems({ prisma }: { prisma: Prisma }) {
  return {
    /** Every item of a workspace that is not withdrawn, newest first. */
    all: (workspaceId: number) =>
      prisma.item.findMany({
        where: { workspaceId, withdrawnAt: null },
        orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
      }),

    /** The items of all workspaces, withdrawn ones too. */
    list: () =>
      prisma.item.findMany({ orderBy: { id: 'asc' }, include: { workspace: { select: { slug: true } } } }),

    /** An item that is not withdrawn. */
    byId: (workspaceId: number, id: number) =>
      prisma.item.findUnique({
        where: { workspaceId_id: { workspaceId, id: BigInt(id) }, withdrawnAt: null },
      }),
  }
}

export type Items = ReturnType<typeof createItems>
