import type { Prisma } from '../../db/sqlite/prisma.ts'
import type { TrafficStatistics } from '../../usage/statistics.ts'
import type { Handlers } from '../handler.ts'
import { createOverview } from './overview.ts'

interface OverviewHandlersOptions {
  prisma: Prisma
  readStatistics: TrafficStatistics['read']
  now: () => number
}

/** What happened to an owner's validations. */
export function createOverviewHandlers({
  prisma,
  readStatistics,
  now,
}: OverviewHandlersOptions): Pick<Handlers, 'getOverview'> {
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
