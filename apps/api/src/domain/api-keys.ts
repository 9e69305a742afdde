import type { Locale, Shape } from '@saleproof/schema'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Prisma } from '../db/sqlite/prisma.ts'

/** A key that there is, whatever it is good for. */
export interface KnownKey {
  keyId: string
  workspaceId: string
}

/** What a request may do: the workspace of its key, and what the key itself allows. */
export interface KeyHolder extends KnownKey {
  publishable: boolean
  /** Whether the key validates only purchases of the items that it is bound to. */
  bound: boolean
  shape: Shape | null
  locale: Locale | null
}

export type KeyRefusal = 'invalid_api_key' | 'expired_api_key' | 'revoked_api_key'

/** Why a key may do nothing, and which it is, where there is such a one. */
export interface RefusedKey {
  refusal: KeyRefusal
  key: KnownKey | undefined
}

interface ApiKeysOptions {
  prisma: Prisma
  vault: KeyVault
  clock: () => Date
}

/** Finds who holds a key. */
export function createApiKeys({ prisma, vault, clock }: ApiKeysOptions) {
  return {
    async resolve(apiKey: string): Promise<KeyHolder | RefusedKey> {
      const row = await prisma.apiKey.findUnique({
        where: { keyHash: vault.hash(apiKey) },
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
      if (!row) return { refusal: 'invalid_api_key', key: undefined }
      const key = { keyId: row.id, workspaceId: row.workspaceId }
      // Whatever the date says: a revocation is never undone, not even by a clock that goes back.
      if (row.revokedAt) return { refusal: 'revoked_api_key', key }
      if (row.expiresAt && row.expiresAt <= clock()) return { refusal: 'expired_api_key', key }
      const { shape, locale } = row.workspace
      const bound = row.items.length > 0
      return {
        ...key,
        publishable: row.publishable,
        bound,
        shape,
        locale,
      }
    },
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>
