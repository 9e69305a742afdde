import type { KeyVault } from '../../crypto/key-vault.ts'
import type { KeyHolder, RefusedKey } from '../../domain/api-keys.ts'
import { createCache } from './cache.ts'
import type { Answer } from './responses.ts'
import type { RevisionRow, Statements } from './statements.ts'

/** What is known of a workspace, and as of when. */
export interface Workspace {
  id: string
  /** The version of the database at which the revisions were read last. */
  version: number
  access: number
  catalogue: number
  sales: number
  /** Begins the name of all that is kept of items: those that change are dropped one by one, or all by another tag. */
  catalogueTag: string
  /** Begins the name of all that is kept of purchases, which hold items: a change of either makes another tag. */
  purchasesTag: string
  /** The answer to whoever asks for the account, and as of which revision. */
  account: { access: number; answer: Answer } | undefined
}

interface ReadKey {
  holder: KeyHolder
  workspace: Workspace
  access: number
  revoked: boolean
  expiresAt: number
}

interface WorkspacesOptions {
  statements: Statements
  vault: KeyVault
  now: () => number
  /** Called with the items that changed, before anything of the workspace is answered again. */
  onItemsChanged: (workspace: Workspace, itemIds: readonly number[]) => void
}

const purchasesTag = ({ id, catalogue, sales }: Workspace) => `${id}:${catalogue}:${sales}:`

/** More changed items than this are not looked up one by one. */
const manyChanges = 2000

/**
 * Knows keys and workspaces, and for each answer whether what it knows is still what is stored. The order is what makes that exact:
 * the version of the database is asked first, then the revision, and what is kept is read after both. A commit in between leaves
 * something newer than it is taken for, and that is read once more; never something older.
 */
export function createWorkspaces({ statements, vault, now, onItemsChanged }: WorkspacesOptions) {
  const workspaces = createCache<Workspace>({ entries: 10_000 })
  const keys = createCache<ReadKey>({ entries: 50_000 })

  function applyRevision(workspace: Workspace, next: RevisionRow) {
    if (next.catalogue !== workspace.catalogue) {
      const changed = statements.changedItems.all(workspace.id, workspace.catalogue).map((row) => row.itemId)
      if (changed.length > manyChanges) workspace.catalogueTag = `${workspace.id}:${next.catalogue}:`
      else onItemsChanged(workspace, changed)
    }
    Object.assign(workspace, next)
    workspace.purchasesTag = purchasesTag(workspace)
  }

  /** Brings what is known of a workspace to a version of the database; false where the workspace is gone. */
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
  function readKey(key: string, version: number): ReadKey | undefined {
    const hash = vault.hash(key)
    const found = statements.key.get(hash)
    if (!found) return undefined
    const workspace = workspaceOf(found.workspaceId, version)
    const row = statements.key.get(hash)
    const home = statements.workspace.get(found.workspaceId)
    // Not an unknown key: the routes find out what is the matter.
    if (!workspace) throw new Error('a workspace without revisions')
    if (!home || row?.workspaceId !== workspace.id) return undefined
    const known = {
      holder: {
        keyId: row.id,
        workspaceId: row.workspaceId,
        publishable: row.publishable === 1,
        bound: statements.binding.get(row.workspaceId, row.id) !== undefined,
        shape: home.shape,
        locale: home.locale,
      },
      workspace,
      access: workspace.access,
      revoked: row.revokedAt !== null,
      expiresAt: row.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(row.expiresAt),
    }
    keys.set(key, known)
    return known
  }

  function isCurrent({ workspace, access }: ReadKey, version: number) {
    return refresh(workspace, version) && workspace.access === access
  }

  return {
    /** Who holds a key, as of this version of the database; or why it is refused. */
    resolve(key: string, version: number): { holder: KeyHolder; workspace: Workspace } | RefusedKey {
      const kept = keys.get(key)
      const known = kept && isCurrent(kept, version) ? kept : readKey(key, version)
      if (!known) return { refusal: 'invalid_api_key', key: undefined }
      if (known.revoked) return { refusal: 'revoked_api_key', key: known.holder }
      return known.expiresAt <= now() ? { refusal: 'expired_api_key', key: known.holder } : known
    },

    figures: () => ({ workspaces: workspaces.figures(), keys: keys.figures() }),
  }
}

export type Workspaces = ReturnType<typeof createWorkspaces>
