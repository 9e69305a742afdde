import type { KeyVault } from '../../crypto/key-vault.ts'
import { type RejectedKey, resolveKey, type StoredKey } from '../../domain/api-keys.ts'
import { createCache } from './cache.ts'
import type { SuccessBody } from './responses.ts'
import type { RevisionRow, Statements } from './statements.ts'

/** What the caches hold of a workspace, and as of which version. */
export interface Workspace {
  id: string
  /** The version of the database at which the revisions were read last. */
  version: number
  access: number
  catalogue: number
  sales: number
  /** The tag of cached items: those that change are dropped one by one, or all by another tag. */
  catalogueTag: string
  /** The tag of cached purchases, which hold items: a change of either makes another tag. */
  purchasesTag: string
  /** The response to `getAccount`, and the revision that it is of. */
  account: { access: number; response: SuccessBody } | undefined
}

interface CachedKey extends StoredKey {
  workspace: Workspace
  /** The revision of the workspace's access at which the key was read. */
  access: number
}

interface WorkspacesOptions {
  statements: Statements
  vault: KeyVault
  now: () => number
  /** Called with the items of a workspace that changed, before another response for it. */
  onItemsChanged: (itemIds: readonly number[]) => void
}

const purchasesTag = ({ id, catalogue, sales }: Workspace) => `${id}:${catalogue}:${sales}`

/** More changed items than this are not looked up one by one. */
const manyChanges = 2000

/**
 * Caches keys and workspaces, and checks for each request that they are current. The order makes that exact: first the version of the
 * database is read, then the revision, and the rows after both. A commit in between leaves rows that are newer than they are taken for,
 * which are read once more; never older ones.
 */
export function createWorkspaces({ statements, vault, now, onItemsChanged }: WorkspacesOptions) {
  const workspaces = createCache<Workspace>({ entries: 10_000 })
  const keys = createCache<CachedKey>({ entries: 50_000 })
  /** The version at which a key was not found: who sends a wrong one sends it again. */
  const unknownKeys = createCache<number>({ entries: 50_000 })

  function applyRevision(workspace: Workspace, next: RevisionRow) {
    if (next.catalogue !== workspace.catalogue) {
      const changed = statements.changedItems.all(workspace.id, workspace.catalogue).map((row) => row.itemId)
      if (changed.length > manyChanges) workspace.catalogueTag = `${workspace.id}:${next.catalogue}:`
      else onItemsChanged(changed)
    }
    Object.assign(workspace, next)
    workspace.purchasesTag = purchasesTag(workspace)
  }

  /** Updates a workspace to a version of the database; false where the workspace is gone. */
  function refresh(workspace: Workspace, version: number): boolean {
    if (workspace.version === version) return true
    const next = statements.revision.get(workspace.id)
    if (!next) return false
    applyRevision(workspace, next)
    workspace.version = version
    return true
  }

  function workspaceOf(id: string, version: number): Workspace | undefined {
    const kept = workspaces.get(id)
    if (kept) return refresh(kept, version) ? kept : undefined
    const revision = statements.revision.get(id)
    if (!revision) return undefined
    const catalogueTag = `${id}:${revision.catalogue}:`
    const workspace: Workspace = {
      id,
      version,
      ...revision,
      catalogueTag,
      purchasesTag: '',
      account: undefined,
    }
    workspace.purchasesTag = purchasesTag(workspace)
    workspaces.set(id, workspace)
    return workspace
  }

  /** Reads a key; the revision of its workspace before the key itself. */
  function readKey(apiKey: string, version: number): CachedKey | undefined {
    if (unknownKeys.get(apiKey) === version) return undefined
    const hash = vault.hash(apiKey)
    const found = statements.key.get(hash)
    if (!found) {
      unknownKeys.set(apiKey, version)
      return undefined
    }
    const workspace = workspaceOf(found.workspaceId, version)
    const row = statements.key.get(hash)
    const defaults = statements.workspace.get(found.workspaceId)
    // The routes report it: this key is not unknown.
    if (!workspace) throw new Error('a workspace without revisions')
    if (!defaults || row?.workspaceId !== workspace.id) return undefined
    const key: CachedKey = {
      workspace,
      access: workspace.access,
      keyId: row.id,
      workspaceId: row.workspaceId,
      publishable: row.publishable === 1,
      bound: statements.binding.get(row.workspaceId, row.id) !== undefined,
      shape: defaults.shape,
      locale: defaults.locale,
      revoked: row.revokedAt !== null,
      expiresAt: row.expiresAt === null ? undefined : Date.parse(row.expiresAt),
    }
    keys.set(apiKey, key)
    return key
  }

  function isCurrent({ workspace, access }: CachedKey, version: number) {
    return refresh(workspace, version) && workspace.access === access
  }

  return {
    /** A key with its workspace, as of this version of the database; or why it is rejected. */
    resolve(apiKey: string, version: number): CachedKey | RejectedKey {
      const cached = keys.get(apiKey)
      return resolveKey(cached && isCurrent(cached, version) ? cached : readKey(apiKey, version), now())
    },

    stats: () => ({ workspaces: workspaces.stats(), keys: keys.stats() }),
  }
}

export type Workspaces = ReturnType<typeof createWorkspaces>
