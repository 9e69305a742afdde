import type { Prisma } from '../db/prisma.ts'
import { UserError } from '../user-error.ts'

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
      if (
        slug !== undefined &&
        !(await prisma.workspace.findUnique({ where: { slug }, select: { id: true } }))
      )
        throw new UserError(`there is no workspace ${slug}: "workspace list" shows them`)
      return prisma.item.findMany({
        where: slug === undefined ? {} : { workspace: { slug } },
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
