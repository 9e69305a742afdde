import { formatTimestamp, parseTimestamp } from '@saleproof/schema'
import { type ConsoleKey, type ExposedKey, type KeyState, manyAddresses } from '@saleproof/schema/console'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { AccountModel, Prisma } from '../db/prisma.ts'
import { createKeyManagement, readLastFour } from '../domain/key-management.ts'
import type { LastUse } from '../usage/usage-store.ts'
import { ConsoleError } from './console-error.ts'
import type { ConsoleOptions, HandlerOptions, Handlers } from './handler.ts'

interface KeyFilter {
  workspaceId: number
  id?: string
  publishable?: boolean
  revokedAt?: null
}

const findKeys = (prisma: Prisma, where: KeyFilter) =>
  prisma.apiKey.findMany({
    where,
    select: {
      id: true,
      name: true,
      keyHash: true,
      keyCipher: true,
      publishable: true,
      createdAt: true,
      expiresAt: true,
      revokedAt: true,
      replacesId: true,
      items: { select: { itemId: true }, orderBy: { itemId: 'asc' } },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })

type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]

const timestampOrNull = (date: Date | null) => date && formatTimestamp(date)

function stateOf({ revokedAt, expiresAt }: KeyRow, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'live'
}

interface KeyContext {
  vault: KeyVault
  now: Date
  lastUse: LastUse | undefined
  addressCount: number | undefined
}

/** Never contains the key itself. */
const presentKey = (row: KeyRow, { vault, now, lastUse, addressCount }: KeyContext): ConsoleKey => ({
  id: row.id,
  name: row.name,
  last_four: readLastFour(vault, row),
  kind: row.publishable ? 'publishable' : 'secret',
  state: stateOf(row, now),
  created_at: formatTimestamp(row.createdAt),
  expires_at: timestampOrNull(row.expiresAt),
  revoked_at: timestampOrNull(row.revokedAt),
  replaces: row.replacesId,
  items: row.items.map(({ itemId }) => Number(itemId)),
  last_used_at: timestampOrNull(lastUse?.at ?? null),
  last_used_by: lastUse?.by ?? null,
  address_count: addressCount ?? 0,
})

type ReadOptions = Pick<ConsoleOptions, 'prisma' | 'vault' | 'clock' | 'lastUses' | 'addressCounts'>

async function readKeys(options: ReadOptions, where: KeyFilter): Promise<ConsoleKey[]> {
  const { prisma, vault, clock, lastUses, addressCounts } = options
  const rows = await findKeys(prisma, where)
  const ids = rows.map(({ id }) => id)
  const uses = await lastUses(ids)
  const addresses = await addressCounts(ids)
  return rows.map((row) =>
    presentKey(row, { vault, now: clock(), lastUse: uses.get(row.id), addressCount: addresses.get(row.id) }),
  )
}

/** The secret keys of a workspace that programs of buyers seem to have. */
export async function findExposedKeys(options: ReadOptions, workspaceId: number): Promise<ExposedKey[]> {
  const keys = await readKeys(options, { workspaceId, publishable: false, revokedAt: null })
  return keys
    .filter(({ state, address_count: count }) => state === 'live' && count >= manyAddresses)
    .map(({ id, name, last_four, address_count }) => ({ id, name, last_four, address_count }))
}

/** Finds a workspace's key. A key of another workspace gets the same error as one that does not exist. */
export function createKeyLookup(options: ReadOptions) {
  return async function findKey(workspaceId: number, id: string): Promise<ConsoleKey> {
    const [key] = await readKeys(options, { workspaceId, id })
    if (!key) throw new ConsoleError('not_found')
    return key
  }
}

export type FindKey = ReturnType<typeof createKeyLookup>

type KeyHandlers = Pick<Handlers, 'listKeys' | 'createKey' | 'showKey' | 'rotateKey' | 'revokeKey'>

export function createKeyHandlers(options: HandlerOptions & { findKey: FindKey }): KeyHandlers {
  const { prisma, write, vault, clock, credentials, recorderOf, findKey } = options
  const keysOf = (account: AccountModel) =>
    createKeyManagement({ prisma, write, vault, clock, record: recorderOf(account) })

  return {
    async listKeys({ workspace }) {
      return { keys: await readKeys(options, { workspaceId: workspace.id }) }
    },

    async createKey({ owner: { account }, workspace, request }) {
      const { name, kind, expires_at: expires, items = [] } = request
      const { id, key } = await keysOf(account).create({
        workspace: workspace.slug,
        name,
        publishable: kind === 'publishable',
        expiresAt: expires ? parseTimestamp(expires) : undefined,
        itemIds: items,
        ownName: true,
      })
      return { ...(await findKey(workspace.id, id)), api_key: key }
    },

    async showKey({ owner: { account }, workspace, parameters: { id }, request }) {
      await findKey(workspace.id, id)
      await credentials.confirm(account, request.password)
      return { api_key: await keysOf(account).show(id) }
    },

    async rotateKey({ owner: { account }, workspace, parameters: { id }, request: { ends_at: endsAt } }) {
      await findKey(workspace.id, id)
      const rotated = await keysOf(account).rotate(id, endsAt === null ? undefined : parseTimestamp(endsAt))
      return {
        ...(await findKey(workspace.id, rotated.id)),
        api_key: rotated.key,
        replaced: await findKey(workspace.id, id),
      }
    },

    async revokeKey({ owner: { account }, workspace, parameters: { id } }) {
      await findKey(workspace.id, id)
      await keysOf(account).revoke(id)
      return findKey(workspace.id, id)
    },
  }
}
