import { readLastFour } from '../../domain/key-management.ts'
import type { ConsoleOptions, Handlers } from '../handler.ts'
import { findExposedKeys } from '../keys.ts'
import { createOverview } from './overview.ts'
import { createSales } from './sales.ts'

type OverviewHandlers = Pick<Handlers, 'getOverview' | 'getSales'>

export function createOverviewHandlers(options: ConsoleOptions): OverviewHandlers {
  const { prisma, vault, read, readStatistics, now } = options

  async function itemNames(workspaceId: number, ids: number[]) {
    const where = { workspaceId, id: { in: ids.map(BigInt) } }
    const rows = await prisma.item.findMany({ where, select: { id: true, name: true } })
    return new Map(rows.map(({ id, name }) => [Number(id), name]))
  }

  const overview = createOverview({
    read: readStatistics,
    now,
    itemNames,
    async namedKeys(workspaceId, ids) {
      const rows = await prisma.apiKey.findMany({
        where: { workspaceId, id: { in: ids } },
        select: { id: true, name: true, keyHash: true, keyCipher: true },
      })
      return new Map(rows.map((row) => [row.id, { name: row.name, last_four: readLastFour(vault, row) }]))
    },
  })
  const sales = createSales({ read, itemNames, now })
  return {
    getOverview: async ({ workspace: { id }, request: { period = '7d', timezone = 'UTC' } }) => ({
      ...(await overview({ workspaceId: id, period, timezone })),
      exposed_keys: await findExposedKeys(options, id),
    }),
    getSales: ({ workspace, request: { period = '7d', timezone = 'UTC' } }) =>
      sales({ workspaceId: workspace.id, period, timezone }),
  }
}
