import { cleanPastedCode } from '@saleproof/schema'
import type { Prisma } from '../db/prisma.ts'
import type { ActiveKey } from './api-keys.ts'

export function createPurchases({ prisma }: { prisma: Prisma }) {
  function byCode({ workspaceId, keyId, bound }: ActiveKey, code: string) {
    const visible = bound ? { item: { keys: { some: { keyId } } } } : {}
    return prisma.purchase.findUnique({
      where: { workspaceId_code: { workspaceId, code }, ...visible },
      include: { item: true },
    })
  }

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
          code: { in: [code, cleanPastedCode(code)] },
        },
        include: { item: true },
      })
      return rows.map((row) => ({ ...row, slug: workspaces.find(({ id }) => id === row.workspaceId)?.slug }))
    },

    /** The purchase that a key may see under a code: as it was sent, else as a buyer's paste of it. */
    async find(key: ActiveKey, code: string) {
      const found = await byCode(key, code)
      const cleaned = cleanPastedCode(code)
      return found || cleaned === code || cleaned === '' ? found : byCode(key, cleaned)
    },
  }
}

export type Purchases = ReturnType<typeof createPurchases>
