import type { Prisma } from '../db/prisma.ts'
import type { ActiveKey } from './api-keys.ts'

export function createPurchases({ prisma }: { prisma: Prisma }) {
  return {
    /** The purchases under a code in all workspaces or in one. */
    async everywhere(code: string, slug: string | undefined) {
      const workspaces = await prisma.workspace.findMany({
        where: slug === undefined ? {} : { slug },
        select: { id: true, slug: true },
      })
      const rows = await prisma.purchase.findMany({
        where: {
          workspaceId: { in: workspaces.map(({ id }) => id) },
          code,
        },
        include: { item: true },
      })
      return rows.map((row) => ({ ...row, slug: workspaces.find(({ id }) => id === row.workspaceId)?.slug }))
    },

    /** The purchase that a key may see under a code. */
    find({ workspaceId, keyId, bound }: ActiveKey, code: string) {
      const visible = bound ? { item: { keys: { some: { keyId } } } } : {}
      return prisma.purchase.findUnique({
        where: { workspaceId_code: { workspaceId, code }, ...visible },
        include: { item: true },
      })
    },
  }
}

export type Purchases = ReturnType<typeof createPurchases>
