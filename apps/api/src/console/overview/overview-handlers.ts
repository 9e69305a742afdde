import { readLastFour } from '../../domain/key-management.ts'
import type { ConsoleOptions, Handlers } from '../handler.ts'
import { createOverview } from './overview.ts'

export function createOverviewHandlers({
  prisma,
  vault,
  readStatistics,
  now,
}: Pick<ConsoleOptions, 'prisma' | 'vault' | 'readStatistics' | 'now'>): Pick<Handlers, 'getOverview'> {
  const overview = createOverview({
    read: readStatistics,
    now,
    async itemNames(workspaceId, ids) {
      const where = { workspaceId, id: { in: ids.map(BigInt) } }
      const rows = await prisma.item.findMany({ where, select: { id: true, name: true } })
      return new Map(rows.map(({ id, name }) => [Number(id), name]))
    },
    async namedKeys(workspaceId, ids) {
      const rows = await prisma.apiKey.findMany({
        where: { workspaceId, id: { in: ids } },
        select: { id: true, name: true, keyHash: true, keyCipher: true },
      })
      return new Map(rows.map((row) => [row.id, { name: row.name, last_four: readLastFour(vault, row) }]))
    },
  })
  return {
    getOverview: ({ workspace, request: { period = '7d', timezone = 'UTC' } }) =>
      overview({ workspaceId: workspace.id, period, timezone }),
  }
}
