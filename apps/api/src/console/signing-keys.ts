import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleSigningKeys } from '@saleproof/schema/console'
import type { Recorder } from '../domain/audit-log.ts'
import { createSigningKeys } from '../domain/signing-keys.ts'
import { hourMs } from '../usage/counts.ts'
import { ConsoleError } from './console-error.ts'
import type { HandlerOptions, Handlers } from './handler.ts'

const countedHours = 30 * 24

export function createSigningKeyHandlers({ database, vault, clock, usage }: HandlerOptions) {
  const { prisma, write } = database
  const keysBy = (record: Recorder) => createSigningKeys({ prisma, write, vault, clock, record })

  async function present(
    workspaceId: number,
    rows: Awaited<ReturnType<ReturnType<typeof keysBy>['list']>>,
  ): Promise<ConsoleSigningKeys> {
    const hour = Math.floor(clock().getTime() / hourMs)
    const { rows: counts } = await usage.readStatistics({
      workspaceId,
      from: hour - countedHours,
      to: hour + 1,
    })
    const passesOf = (id: string) =>
      counts.reduce((sum, { kind, name, count }) => (kind === 'pass' && name === id ? sum + count : sum), 0)
    return {
      signing_keys: rows.map(({ id, publicKey, createdAt, retiredAt }) => ({
        id,
        public_key: publicKey,
        created_at: formatTimestamp(createdAt),
        retired_at: retiredAt && formatTimestamp(retiredAt),
        passes: passesOf(id),
      })),
    }
  }

  return {
    listSigningKeys: async ({ workspace: { id }, record }) => present(id, await keysBy(record).list(id)),

    async rotateSigningKey({ workspace: { id }, record }) {
      await keysBy(record).rotate(id)
      return present(id, await keysBy(record).list(id))
    },

    async retireSigningKey({ workspace: { id }, parameters, record }) {
      const keys = keysBy(record)
      if (!(await keys.list(id)).some((row) => row.id === parameters.id)) throw new ConsoleError('not_found')
      await keys.retire(parameters.id)
      return present(id, await keys.list(id))
    },
  } satisfies Partial<Handlers>
}
