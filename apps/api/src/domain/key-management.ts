import { generateApiKey, lastFour } from '../crypto/api-key.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Prisma, Transaction } from '../db/prisma.ts'
import { newId } from '../ids.ts'
import type { Changes } from './audit-log.ts'
import { DomainError } from './domain-error.ts'
import { requireWorkspace } from './workspaces.ts'

interface NewKey {
  workspace: string
  name: string
  expiresAt?: Date | undefined
  publishable: boolean
  itemIds: readonly number[]
  /** Whether the name of another key that works is refused. */
  ownName?: boolean
  requestId?: string | undefined
}

/** The last four characters of a stored key; `null` where it is short, or its bytes are damaged. */
export function readLastFour(vault: KeyVault, key: { keyCipher: Uint8Array; keyHash: string }) {
  try {
    return lastFour(vault.open(key.keyCipher, key.keyHash))
  } catch {
    return null
  }
}

/** A key that is to be stored. */
interface KeyToStore {
  workspaceId: number
  name: string
  publishable: boolean
  expiresAt: Date | null
  itemIds: readonly bigint[]
  replacesId?: string
}

interface KeyFilter {
  workspaceId?: number
  id?: string
  publishable?: boolean
  revokedAt?: null
}

/** The keys that match, the newest first. */
export const findKeys = (prisma: Prisma, where: KeyFilter) =>
  prisma.apiKey.findMany({
    where,
    include: {
      workspace: { select: { slug: true } },
      items: { select: { itemId: true }, orderBy: { itemId: 'asc' } },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })

export type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]

/** The keys that are accepted. */
const working = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] })

/** A successor lives as long as the key before it was made to. */
const successorExpiry = ({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date | null }, now: Date) =>
  expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())

/** How long a form may be sent again. */
const repeatableMs = 10 * 60 * 1000

export function createKeyManagement(options: Changes & { vault: KeyVault }) {
  const { prisma, transact, vault, clock, record } = options
  async function requireItems(workspaceId: number, itemIds: readonly number[]) {
    const ids = itemIds.map(BigInt)
    const found = await prisma.item.findMany({
      where: { workspaceId, id: { in: ids } },
      select: { id: true },
    })
    const known = new Set(found.map((row) => row.id))
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length) throw new DomainError('key_items', missing.join(', '))
    return ids
  }

  async function requireOwnName(tx: Pick<Prisma, 'apiKey'>, workspaceId: number, name: string) {
    const where = { workspaceId, name, ...working(clock()) }
    const namesake = await tx.apiKey.findFirst({ where, select: { id: true } })
    if (namesake) throw new DomainError('name_taken')
  }

  /** The id of the key that a request makes: the same request again makes no other. It cannot be guessed from the id. */
  const idFor = (requestId: string | undefined, ...about: readonly unknown[]) =>
    requestId === undefined
      ? newId()
      : vault
          .hash(`request ${JSON.stringify([requestId, ...about])}`)
          .replace(/[-_]/g, '0')
          .slice(0, 16)

  /** The key of a request whose response was lost: not later, when to read a key takes the password. */
  async function findMade(tx: Transaction, id: string) {
    const made = await tx.apiKey.findUnique({ where: { id } })
    if (!made) return undefined
    const isRecent = clock().getTime() - made.createdAt.getTime() < repeatableMs
    if (made.revokedAt || !isRecent) throw new DomainError('key_inactive')
    return { id, key: vault.open(made.keyCipher, made.keyHash) }
  }

  async function storeKey(tx: Transaction, id: string, { itemIds, ...columns }: KeyToStore) {
    const key = generateApiKey(columns)
    const data = {
      ...columns,
      id,
      keyHash: vault.hash(key),
      keyCipher: new Uint8Array(vault.seal(key)),
      createdAt: clock(),
      items: { create: itemIds.map((itemId) => ({ itemId })) },
    }
    await tx.apiKey.create({ data })
    await record(tx, { action: 'key.created', workspaceId: columns.workspaceId, subject: id })
    return { id, key }
  }

  const byId = async (id: string) => {
    const [row] = await findKeys(prisma, { id })
    // The id is not repeated: it may be the key itself.
    if (!row) throw new DomainError('key_unknown')
    return row
  }

  return {
    async create({ workspace, name, expiresAt, publishable, itemIds, ownName = false, requestId }: NewKey) {
      const workspaceId = await requireWorkspace(prisma, workspace)
      if (itemIds.length && !publishable) throw new DomainError('key_secret')
      if (expiresAt && expiresAt <= clock()) throw new DomainError('expiry_past')
      const ids = await requireItems(workspaceId, [...new Set(itemIds)])
      const id = idFor(requestId, workspaceId, name, publishable, itemIds)
      return transact(async (tx) => {
        const made = await findMade(tx, id)
        if (made) return made
        if (ownName) await requireOwnName(tx, workspaceId, name)
        return storeKey(tx, id, {
          workspaceId,
          name,
          publishable,
          expiresAt: expiresAt ?? null,
          itemIds: ids,
        })
      }, workspaceId)
    },

    /**
     * Creates a key with the same name, kind, items and lifetime, and ends the old one, which works until then. An expiry date that is
     * earlier than the end stays.
     */
    async rotate(id: string, endsAt?: Date, requestId?: string) {
      const now = clock()
      if (endsAt && endsAt <= now) throw new DomainError('end_past')
      const { workspaceId, name, publishable, createdAt, expiresAt, items } = await byId(id)
      const end = endsAt ?? now
      const successorId = idFor(requestId, id)
      return transact(async (tx) => {
        const made = await findMade(tx, successorId)
        if (made) return made
        const { count } = await tx.apiKey.updateMany({
          where: { id, ...working(now) },
          data: { expiresAt: expiresAt && expiresAt < end ? expiresAt : end },
        })
        if (count === 0) throw new DomainError('key_inactive')
        const where = { workspaceId, replacesId: id, ...working(now) }
        if (await tx.apiKey.findFirst({ where, select: { id: true } })) throw new DomainError('key_replaced')
        const successor = await storeKey(tx, successorId, {
          workspaceId,
          name,
          publishable,
          expiresAt: successorExpiry({ createdAt, expiresAt }, now),
          itemIds: items.map(({ itemId }) => itemId),
          replacesId: id,
        })
        await record(tx, { action: 'key.rotated', workspaceId, subject: id })
        return successor
      }, workspaceId)
    },

    /** Returns the key itself, but only after that was recorded. */
    async show(id: string): Promise<string> {
      const { workspaceId, keyHash, keyCipher } = await byId(id)
      const key = vault.open(keyCipher, keyHash)
      await transact((tx) => record(tx, { action: 'key.shown', workspaceId, subject: id }), workspaceId)
      return key
    },

    /** Permanent. A second revocation changes nothing. */
    async revoke(id: string): Promise<{ already: boolean }> {
      const { workspaceId } = await byId(id)
      return transact(async (tx) => {
        const { count } = await tx.apiKey.updateMany({
          where: { id, revokedAt: null },
          data: { revokedAt: clock() },
        })
        if (count) await record(tx, { action: 'key.revoked', workspaceId, subject: id })
        return { already: count === 0 }
      }, workspaceId)
    },
  }
}

export type KeyManagement = ReturnType<typeof createKeyManagement>
