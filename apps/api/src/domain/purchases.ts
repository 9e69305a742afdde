import type { Prisma } from '../db/prisma.ts'
import type { ActiveKey } from './api-keys.ts'

export function createPurchases({ prisma }: { prisma: Prisma }) {
  return {
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
