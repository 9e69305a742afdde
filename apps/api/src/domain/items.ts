import type { Prisma } from '../db/prisma.ts'
import { requireWorkspace } from './workspaces.ts'

export function createItems({ prisma }: { prisma: Prisma }) {
  return {
    /** Every item of a workspace that is not withdrawn, newest first. */
    all: (workspaceId: number) =>
      prisma.item.findMany({
        where: { workspaceId, withdrawnAt: null },
        orderBy: [{ publishedAt: 'desc' }, { id: 'desc' }],
      }),

    /** The items of all workspaces or of one, withdrawn ones too. */
    async list(slug: string | undefined) {
      return prisma.item.findMany({
        where: slug === undefined ? {} : { workspaceId: await requireWorkspace(prisma, slug) },
        orderBy: { id: 'asc' },
        include: { workspace: { select: { slug: true } } },
      })
    },

    /** An item that is not withdrawn. */
    byId: (workspaceId: number, id: number) =>
      prisma.item.findUnique({
        where: { workspaceId_id: { workspaceId, id: BigInt(id) }, withdrawnAt: null },
      }),
  }
}

export type Items = ReturnType<typeof createItems>
