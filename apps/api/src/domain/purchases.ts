import type { Prisma } from '../db/prisma.ts'
import { createRecordPresenter } from '../records/present.ts'
import { purchaseTable } from '../records/purchase.ts'
import type { ActiveKey } from './api-keys.ts'

const presentFields = createRecordPresenter<Record<string, unknown>>(purchaseTable, null)

/** What is shown of a purchase to who gave its code. */
export const shownFields = purchaseTable.fields
  .map(({ path }) => path)
  .filter((path) => path !== 'purchase_code')

export function createPurchases({ prisma }: { prisma: Prisma }) {
  return {
    /** The purchases under a code in all workspaces or in one, without that code. */
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
      return rows.map((row) => {
        const { purchase_code: _, ...fields } = presentFields(row)
        const workspace = workspaces.find(({ id }) => id === row.workspaceId)?.slug
        return { workspaceId: row.workspaceId, workspace, name: row.item.name, fields }
      })
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
