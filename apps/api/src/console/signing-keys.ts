import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleSigningKeys } from '@saleproof/schema/console'
import { createSigningKeys, type SigningKeys } from '../domain/signing-keys.ts'
import { hourMs } from '../usage/counts.ts'
import { ConsoleError } from './console-error.ts'
import type { Call, HandlerOptions, Handlers } from './handler.ts'

const countedHours = 30 * 24

export function createSigningKeyHandlers({ database, vault, clock, usage }: HandlerOptions) {
  /** The keys after a change. */
  async function keysAfter(
    { workspace: { id: workspaceId, slug }, record }: Pick<Call<'listSigningKeys'>, 'workspace' | 'record'>,
    change?: (keys: SigningKeys, slug: string) => Promise<unknown>,
  ): Promise<ConsoleSigningKeys> {
    const keys = createSigningKeys({ ...database, vault, clock, record })
    await change?.(keys, slug)
    const hour = Math.floor(clock().getTime() / hourMs)
    const { rows } = await usage.readStatistics({ workspaceId, from: hour - countedHours, to: hour + 1 })
    const countPasses = (id: string) =>
      rows.reduce((sum, { kind, name, count }) => (kind === 'pass' && name === id ? sum + count : sum), 0)
    return {
      signing_keys: (await keys.list(slug)).map(({ id, publicKey, createdAt, retiredAt }) => ({
        id,
        public_key: publicKey,
        created_at: formatTimestamp(createdAt),
        retired_at: retiredAt && formatTimestamp(retiredAt),
        passes: countPasses(id),
      })),
    }
  }

  return {
    listSigningKeys: (call) => keysAfter(call),
    rotateSigningKey: (call) => keysAfter(call, (keys, slug) => keys.rotate(slug, call.request.newest)),
    retireSigningKey: (call) =>
      keysAfter(call, async (keys, slug) => {
        const { id } = call.parameters
        if (!(await keys.list(slug)).some((row) => row.id === id)) throw new ConsoleError('not_found')
        await keys.retire(id)
      }),
  } satisfies Partial<Handlers>
}
