import type { Locale, Shape } from '@saleproof/schema'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Prisma } from '../database/open.ts'

/** What a request may do: the workspace of its key, and what the key itself allows. */
export interface KeyHolder {
  keyId: string
  workspaceId: string
  publishable: boolean
  /** Whether the key validates only purchases of the items that it is bound to. */
  bound: boolean
  shape: Shape | null
  locale: Locale | null
}

export type KeyRefusal = 'invalid_api_key' | 'expired_api_key' | 'revoked_api_key'

interface ApiKeysOptions {
  prisma: Prisma
  vault: KeyVault
  clock: () => Date
}

/** Finds who holds a key. */
export function createApiKeys({ prisma, vault, clock }: ApiKeysOptions) {
  return {
    async resolve(key: string): Promise<KeyHolder | KeyRefusal> {
      const row = await prisma.apiKey.findUnique({
        where: { keyHash: vault.hash(key) },
        select: {
          id: true,
          workspaceId: true,
          publishable: true,
          expiresAt: true,
          revokedAt: true,
          workspace: { select: { shape: true, locale: true } },
          items: { select: { itemId: true }, take: 1 },
        },
      })
      if (!row) return 'invalid_api_key'
      // Whatever the date says: a revocation is never undone, not even by a clock that goes back.
      if (row.revokedAt) return 'revoked_api_key'
      if (row.expiresAt && row.expiresAt <= clock()) return 'expired_api_key'
      const { shape, locale } = row.workspace
      const bound = row.items.length > 0
      return {
        keyId: row.id,
        workspaceId: row.workspaceId,
        publishable: row.publishable,
        bound,
        shape,
        locale,
      }
    },
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>
