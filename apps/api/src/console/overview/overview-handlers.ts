import type { ConsoleOptions, Handlers } from '../handler.ts'
import { createOverview } from './overview.ts'

export function createOverviewHandlers({
  prisma,
  readStatistics,
  now,
}: Pick<ConsoleOptions, 'prisma' | 'readStatistics' | 'now'>): Pick<Handlers, 'getOverview'> {
  const overview = createOverview({
    read: readStatistics,
    now,
    async itemNames(workspaceId, ids) {
      const where = { workspaceId, id: { in: ids.map(BigInt) } }
      const rows = await prisma.item.findMany({ where, select: { id: true, name: true } })
      return new Map(rows.map(({ id, name }) => [Number(id), name]))
    },
    async keyNames(workspaceId) {
      const rows = await prisma.apiKey.findMany({ where: { workspaceId }, select: { id: true, name: true } })
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
  })
  return {
    getOverview: ({ workspace, request: { period = '7d', timezone = 'UTC' } }) =>
      overview({ workspaceId: workspace.id, period, timezone }),
  }
}
