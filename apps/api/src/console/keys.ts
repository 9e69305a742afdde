import { formatTimestamp, parseTimestamp } from '@saleproof/schema'
import { type ConsoleKey, type ExposedKey, type KeyState, manyAddresses } from '@saleproof/schema/console'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Recorder } from '../domain/audit-log.ts'
import { createKeyManagement, findKeys, type KeyRow, readLastFour } from '../domain/key-management.ts'
import type { LastUse } from '../usage/usage-store.ts'
import { ConsoleError } from './console-error.ts'
import type { ConsoleOptions, HandlerOptions, Handlers } from './handler.ts'

const timestampOrNull = (date: Date | null) => date && formatTimestamp(date)

function keyState({ revokedAt, expiresAt }: KeyRow, now: Date): KeyState {
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
  state: keyState(row, now),
  created_at: formatTimestamp(row.createdAt),
  expires_at: timestampOrNull(row.expiresAt),
  replaces: row.replacesId,
  items: row.items.map(({ itemId }) => Number(itemId)),
  last_used_at: timestampOrNull(lastUse?.at ?? null),
  last_used_by: lastUse?.by ?? null,
  address_count: addressCount ?? 0,
})

type ReadOptions = Pick<ConsoleOptions, 'database' | 'vault' | 'clock' | 'usage'>

async function readKeys(
  { database, vault, clock, usage }: ReadOptions,
  where: Parameters<typeof findKeys>[1],
): Promise<ConsoleKey[]> {
  const rows = await findKeys(database.prisma, where)
  const ids = rows.map(({ id }) => id)
  const uses = await usage.readLastUses(ids)
  const addresses = await usage.readAddressCounts(ids)
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
export async function findKey(options: ReadOptions, workspaceId: number, id: string): Promise<ConsoleKey> {
  const [key] = await readKeys(options, { workspaceId, id })
  if (!key) throw new ConsoleError('not_found')
  return key
}

export function createKeyHandlers(options: HandlerOptions) {
  const { database, vault, clock, auth } = options
  const keysBy = (record: Recorder) => createKeyManagement({ ...database, vault, clock, record })

  return {
    async listKeys({ workspace }) {
      return { keys: await readKeys(options, { workspaceId: workspace.id }) }
    },

    async createKey({ record, workspace, request }) {
      const { name, kind, expires_at: expires, items = [], request_id: requestId } = request
      const { id, key } = await keysBy(record).create({
        workspace: workspace.slug,
        name,
        publishable: kind === 'publishable',
        expiresAt: expires ? parseTimestamp(expires) : undefined,
        itemIds: items,
        ownName: true,
        requestId,
      })
      return { ...(await findKey(options, workspace.id, id)), api_key: key }
    },

    async showKey({ owner, record, workspace, parameters: { id }, request }) {
      await findKey(options, workspace.id, id)
      await auth.credentials.confirm(owner.account, request.password)
      return { api_key: await keysBy(record).show(id) }
    },

    async rotateKey({ record, workspace, parameters: { id }, request }) {
      await findKey(options, workspace.id, id)
      const { ends_at: end, request_id: requestId } = request
      const rotated = await keysBy(record).rotate(id, end ? parseTimestamp(end) : undefined, requestId)
      return {
        ...(await findKey(options, workspace.id, rotated.id)),
        api_key: rotated.key,
        replaced: await findKey(options, workspace.id, id),
      }
    },

    async revokeKey({ record, workspace, parameters: { id } }) {
      await findKey(options, workspace.id, id)
      await keysBy(record).revoke(id)
      return findKey(options, workspace.id, id)
    },
  } satisfies Partial<Handlers>
}
