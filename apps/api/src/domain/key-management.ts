import type { Recorder } from '../audit/append.ts'
import { generateApiKey, lastFourOf } from '../crypto/api-key.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Prisma, Write } from '../db/prisma.ts'
import { newId } from '../ids.ts'
import { UserError } from '../user-error.ts'

interface KeyManagementOptions {
  prisma: Prisma
  write: Write
  vault: KeyVault
  clock: () => Date
  record: Recorder
}

interface NewKey {
  workspace: string
  name: string
  expiresAt?: Date | undefined
  publishable: boolean
  itemIds: readonly number[]
  /** Whether the name of another key that works is refused. */
  ownName?: boolean
}

/** The last four characters of a stored key; `null` where it is short, or its bytes are damaged. */
export function readLastFour(vault: KeyVault, key: { keyCipher: Uint8Array; keyHash: string }) {
  try {
    return lastFourOf(vault.open(key.keyCipher, key.keyHash))
  } catch {
    return null
  }
}

const listed = {
  id: true,
  name: true,
  keyHash: true,
  keyCipher: true,
  publishable: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  workspace: { select: { slug: true } },
} as const

export function createKeyManagement({ prisma, write, vault, clock, record }: KeyManagementOptions) {
  async function requireItems(workspaceId: string, itemIds: readonly number[]) {
    const ids = itemIds.map(BigInt)
    const found = await prisma.item.findMany({
      where: { workspaceId, id: { in: ids } },
      select: { id: true },
    })
    const known = new Set(found.map((row) => row.id))
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length) {
      throw new UserError(`this workspace has no item ${missing.join(', ')}`, {
        name: 'items',
        code: 'key_items',
      })
    }
    return ids
  }

  async function requireOwnName(tx: Pick<Prisma, 'apiKey'>, workspaceId: string, name: string) {
    const working = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: clock() } }] }
    const namesake = await tx.apiKey.findFirst({
      where: { workspaceId, name, ...working },
      select: { id: true },
    })
    if (!namesake) return
    throw new UserError('another key of this workspace has that name', { name: 'name', code: 'name_taken' })
  }

  const byId = async (id: string) => {
    const row = await prisma.apiKey.findUnique({
      where: { id },
      select: { ...listed, workspaceId: true },
    })
    // The id is not repeated: it may be the key itself.
    if (!row) throw new UserError('there is no key with that id: "key list" shows the ids')
    return row
  }

  return {
    async create({ workspace, name, expiresAt, publishable, itemIds, ownName = false }: NewKey) {
      const home = await prisma.workspace.findUnique({ where: { slug: workspace }, select: { id: true } })
      if (!home) throw new UserError(`there is no workspace ${workspace}`)
      if (itemIds.length && !publishable) {
        throw new UserError('only a publishable key can be bound to items', {
          name: 'items',
          code: 'key_secret',
        })
      }
      if (expiresAt && expiresAt <= clock()) {
        throw new UserError('the expiry date is in the past', { name: 'expires_at', code: 'past' })
      }
      const ids = await requireItems(home.id, [...new Set(itemIds)])
      const id = newId()
      const key = generateApiKey()
      const data = {
        id,
        workspaceId: home.id,
        name,
        keyHash: vault.hash(key),
        keyCipher: new Uint8Array(vault.seal(key)),
        publishable,
        createdAt: clock(),
        expiresAt: expiresAt ?? null,
        items: { create: ids.map((itemId) => ({ itemId })) },
      }
      await write(async (tx) => {
        if (ownName) await requireOwnName(tx, home.id, name)
        await tx.apiKey.create({ data })
        await record(tx, { action: 'key.created', workspaceId: home.id, subject: id })
      })
      return { id, key }
    },

    list: () => prisma.apiKey.findMany({ select: listed, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),

    /** Returns the key itself, but only after that was recorded. */
    async show(id: string): Promise<string> {
      const { workspaceId, keyHash, keyCipher } = await byId(id)
      const key = vault.open(keyCipher, keyHash)
      await write((tx) => record(tx, { action: 'key.shown', workspaceId, subject: id }))
      return key
    },

    /** Permanent. A second revocation changes nothing. */
    async revoke(id: string): Promise<{ already: boolean }> {
      const { workspaceId } = await byId(id)
      return write(async (tx) => {
        const { count } = await tx.apiKey.updateMany({
          where: { id, revokedAt: null },
          data: { revokedAt: clock() },
        })
        if (count) await record(tx, { action: 'key.revoked', workspaceId, subject: id })
        return { already: count === 0 }
      })
    },
  }
}

export type KeyManagement = ReturnType<typeof createKeyManagement>
