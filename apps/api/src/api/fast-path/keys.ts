import type { KeyVault } from '../../crypto/key-vault.ts'
import type { StoredSigningKey } from '../../crypto/signing-key.ts'
import { type RejectedKey, resolveKey, type StoredKey } from '../../domain/api-keys.ts'
import { createCache } from './cache.ts'
import type { SuccessBody } from './responses.ts'
import type { RevisionRow, Statements } from './statements.ts'

/** A key, and what is known of its workspace. */
export interface CachedKey extends StoredKey, RevisionRow {
  accountId: string
  slug: string
  passHours: number | null
  /** Its signing keys, the newest first, once a pass was asked for. */
  signingKeys: readonly StoredSigningKey[] | undefined
  /** The version of the database at which the revisions of the workspace were read last. */
  version: number
  /** The tag of cached items: a change of one makes another tag. */
  catalogueTag: string
  /** The tag of cached purchases, which hold items: a change of either makes another tag. */
  purchasesTag: string
  /** The response to `getAccount`, once it was requested. */
  account: SuccessBody | undefined
}

const revisionTags = (workspaceId: number, { catalogue, sales }: RevisionRow) => ({
  catalogueTag: `${workspaceId}:${catalogue}`,
  purchasesTag: `${workspaceId}:${catalogue}:${sales}`,
})

/**
 * Caches keys, and checks for each request that they are current. The version of the database is read first; all reads that follow share a
 * snapshot of that version or, after a commit in between, of a later one. So rows may be newer than they are taken for, and are read
 * once more; they are never older.
 */
export function createKeys(statements: Statements, vault: Pick<KeyVault, 'hash'>, now: () => number) {
  const keys = createCache<CachedKey>(50_000)
  /** The version at which a key was not found: who sends a wrong one sends it again. */
  const unknownKeys = createCache<number>(50_000)

  function readKey(apiKey: string, version: number): CachedKey | undefined {
    if (unknownKeys.get(apiKey) === version) return undefined
    const row = statements.key.get(vault.hash(apiKey))
    if (!row) {
      unknownKeys.set(apiKey, version)
      return undefined
    }
    const { id, workspaceId, publishable, revokedAt, expiresAt } = row
    const revision = statements.revision.get(workspaceId)
    const workspace = statements.workspace.get(workspaceId)
    // The routes report it: this key is not unknown.
    if (!revision || !workspace) throw new Error('a workspace without revisions')
    const key: CachedKey = {
      ...revision,
      ...revisionTags(workspaceId, revision),
      ...workspace,
      keyId: id,
      workspaceId,
      version,
      publishable: publishable === 1,
      bound: statements.binding.get(workspaceId, id) !== undefined,
      revoked: revokedAt !== null,
      expiresAt: expiresAt ?? undefined,
      account: undefined,
      signingKeys: undefined,
    }
    keys.set(apiKey, key)
    return key
  }

  /** Whether a key, and the account of its workspace, are as they were read. */
  function isCurrent(key: CachedKey, version: number): boolean {
    if (key.version === version) return true
    const revision = statements.revision.get(key.workspaceId)
    if (revision?.access !== key.access) return false
    Object.assign(key, revision, revisionTags(key.workspaceId, revision), { version })
    return true
  }

  return {
    /** A key as of this version of the database; or why it is rejected. */
    resolve(apiKey: string, version: number): CachedKey | RejectedKey {
      const cached = keys.get(apiKey)
      return resolveKey(cached && isCurrent(cached, version) ? cached : readKey(apiKey, version), now())
    },
  }
}
