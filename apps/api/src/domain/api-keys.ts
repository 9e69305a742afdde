import type { ErrorCode, Locale, Operation, Shape } from '@saleproof/schema'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Prisma } from '../db/prisma.ts'

export interface KeyRef {
  keyId: string
  workspaceId: number
}

/** What a request may do: the workspace of its key, and what the key itself allows. */
export interface ActiveKey extends KeyRef {
  publishable: boolean
  /** Whether the key validates only purchases of the items that it is bound to. */
  bound: boolean
  /** The defaults of its workspace. */
  shape: Shape | null
  locale: Locale | null
}

/** A key as it is stored, active or not. */
export interface StoredKey extends ActiveKey {
  revoked: boolean
  /** In milliseconds since 1970. */
  expiresAt: number | undefined
}

export type KeyErrorCode = Extract<ErrorCode, 'invalid_api_key' | 'expired_api_key' | 'revoked_api_key'>

/** Why a key is not accepted; `key` where one is stored. */
export interface RejectedKey {
  error: KeyErrorCode
  key: RefusedKey | undefined
}

/** A stored key that is not accepted. */
export type RefusedKey = KeyRef & Pick<ActiveKey, 'publishable'>

/** The one rule for what a key is good for, whichever way it was read. */
export function resolveKey<Key extends StoredKey>(key: Key | undefined, now: number): Key | RejectedKey {
  if (!key) return { error: 'invalid_api_key', key }
  // Before the date: a revocation is never undone, not even by a clock that goes back.
  if (key.revoked) return { error: 'revoked_api_key', key }
  if (key.expiresAt !== undefined && key.expiresAt <= now) return { error: 'expired_api_key', key }
  return key
}

export const mayUse = ({ publishable }: ActiveKey, operation: Operation) =>
  !publishable || operation.publishable

/** Whether a key is known to be secret: one that is not stored is not. */
export const isSecret = (key: Pick<ActiveKey, 'publishable'> | undefined) => key?.publishable === false

interface ApiKeysOptions {
  prisma: Prisma
  vault: KeyVault
  clock: () => Date
}

export function createApiKeys({ prisma, vault, clock }: ApiKeysOptions) {
  async function find(apiKey: string): Promise<StoredKey | undefined> {
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
    if (!row) return undefined
    return {
      keyId: row.id,
      workspaceId: row.workspaceId,
      publishable: row.publishable,
      bound: row.items.length > 0,
      shape: row.workspace.shape,
      locale: row.workspace.locale,
      revoked: row.revokedAt !== null,
      expiresAt: row.expiresAt?.getTime(),
    }
  }

  return {
    resolve: async (apiKey: string) => resolveKey(await find(apiKey), clock().getTime()),

    /** Whether a secret key is among these, be it active or not. */
    async includeSecret(apiKeys: readonly string[]): Promise<boolean> {
      if (apiKeys.length === 0) return false
      const keyHash = { in: apiKeys.map(vault.hash) }
      return (await prisma.apiKey.findFirst({ where: { keyHash, publishable: false } })) !== null
    },
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>
