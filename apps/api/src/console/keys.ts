import { formatTimestamp, parseTimestamp } from '@saleproof/schema'
import type { ConsoleKey, KeyState } from '@saleproof/schema/console'
import type { Recorder } from '../audit/append.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { AccountModel, Prisma } from '../db/sqlite/prisma.ts'
import type { Write } from '../db/transaction.ts'
import { createKeyManagement } from '../domain/key-management.ts'
import type { LastUse, ReadLastUses } from '../usage/usage-store.ts'
import type { Credentials } from './auth/credentials.ts'
import { ConsoleFailure } from './console-error.ts'
import type { Handlers } from './handler.ts'

interface KeyHandlersOptions {
  prisma: Prisma
  write: Write
  vault: KeyVault
  clock: () => Date
  credentials: Credentials
  lastUses: ReadLastUses
  recorderOf: (account: Pick<AccountModel, 'id'>) => Recorder
}

const columns = {
  ...{ id: true, name: true, publishable: true, createdAt: true, expiresAt: true, revokedAt: true },
  items: { select: { itemId: true }, orderBy: { itemId: 'asc' } },
} as const

const rowsOf = (prisma: Prisma, workspaceId: string, id?: string) =>
  prisma.apiKey.findMany({
    where: { workspaceId, ...(id !== undefined && { id }) },
    select: columns,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })

type KeyRow = Awaited<ReturnType<typeof rowsOf>>[number]

const moment = (date: Date | null) => date && formatTimestamp(date)

function stateOf({ revokedAt, expiresAt }: KeyRow, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'live'
}

/** Never the key itself. */
const presentKey = (row: KeyRow, now: Date, lastUse: LastUse | undefined): ConsoleKey => ({
  id: row.id,
  name: row.name,
  kind: row.publishable ? 'publishable' : 'secret',
  state: stateOf(row, now),
  created_at: formatTimestamp(row.createdAt),
  expires_at: moment(row.expiresAt),
  revoked_at: moment(row.revokedAt),
  items: row.items.map(({ itemId }) => Number(itemId)),
  last_used_at: moment(lastUse?.at ?? null),
  last_used_by: lastUse?.by ?? null,
})

/** The keys of a workspace. */
export function createKeyHandlers(options: KeyHandlersOptions) {
  const { prisma, write, vault, clock, credentials, lastUses, recorderOf } = options
  const keysOf = (account: AccountModel) =>
    createKeyManagement({ prisma, write, vault, clock, record: recorderOf(account) })

  /** A key of a workspace, as it is shown; one of another workspace is as unknown as one that there is not. */
  async function find(workspaceId: string, id: string): Promise<ConsoleKey> {
    const [row] = await rowsOf(prisma, workspaceId, id)
    if (!row) throw new ConsoleFailure('not_found')
    return presentKey(row, clock(), (await lastUses([id])).get(id))
  }

  const handlers: Pick<Handlers, 'listKeys' | 'createKey' | 'showKey' | 'revokeKey'> = {
    async listKeys({ workspace }) {
      const rows = await rowsOf(prisma, workspace.id)
      const uses = await lastUses(rows.map(({ id }) => id))
      return { keys: rows.map((row) => presentKey(row, clock(), uses.get(row.id))) }
    },

    async createKey({ owner: { account }, workspace, request }) {
      const { name, kind, expires_at: expires, items = [] } = request
      const { id, key } = await keysOf(account).create({
        workspace: workspace.slug,
        name,
        publishable: kind === 'publishable',
        expiresAt: expires ? parseTimestamp(expires) : undefined,
        itemIds: items,
      })
      return { ...(await find(workspace.id, id)), api_key: key }
    },

    async showKey({ ctx, owner: { account }, workspace, parameters: { id }, request }) {
      await find(workspace.id, id)
      await credentials.confirm(ctx, account, request.password)
      return { api_key: await keysOf(account).show(id) }
    },

    async revokeKey({ owner: { account }, workspace, parameters: { id } }) {
      await find(workspace.id, id)
      await keysOf(account).revoke(id)
      return find(workspace.id, id)
    },
  }
  return { handlers, find }
}

export type KeyHandlers = ReturnType<typeof createKeyHandlers>
