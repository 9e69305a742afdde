import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleOptions, Handlers } from '../handler.ts'
import { findExposedKeys } from '../keys.ts'
import { findItemNames, findKeyNames } from '../names.ts'
import { findByCodes } from '../purchases/purchase-list.ts'
import { presentPurchase } from '../purchases/purchases.ts'
import { createOverview } from './overview.ts'
import { createSales } from './sales.ts'

/** A mask must leave out more than it shows. */
const minMaskedLength = 17

function mask(code: string): string | null {
  const characters = [...code]
  if (characters.length < minMaskedLength) return null
  return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
}

export function createOverviewHandlers(options: ConsoleOptions) {
  const { database, usage, clock } = options
  const now = () => clock().getTime()
  const itemNames = (workspaceId: number, ids: number[]) => findItemNames(database, workspaceId, ids)
  const keyNames = (workspaceId: number, ids: string[]) => findKeyNames(options, workspaceId, ids)
  const overview = createOverview({ read: usage.readStatistics, itemNames, keyNames, now })
  const sales = createSales({ read: database.read, itemNames, now })

  return {
    getOverview: async ({ workspace: { id }, request: { period = '7d', timezone = 'UTC' } }) => ({
      ...(await overview({ workspaceId: id, period, timezone })),
      exposed_keys: await findExposedKeys(options, id),
    }),

    getSales: ({ workspace, request: { period = '7d', timezone = 'UTC' } }) =>
      sales({ workspaceId: workspace.id, period, timezone }),

    /** An unknown code is masked: it may be a typo of a valid code, or a secret pasted by mistake. */
    async listFailedCodes({ workspace: { id: workspaceId }, request: { reason } }) {
      const failed = await usage.readFailedCodes({ workspaceId, reason })
      const [purchases, keys] = await Promise.all([
        findByCodes(
          database,
          workspaceId,
          failed.map(({ code }) => code),
        ),
        keyNames(
          workspaceId,
          failed.map(({ keyId }) => keyId),
        ),
      ])
      return {
        codes: failed.map(({ code, keyId, lastAt, count }) => {
          const purchase = purchases.get(code)
          return {
            purchase: purchase ? presentPurchase(purchase) : null,
            masked: purchase ? null : mask(code),
            key: keys.get(keyId) ?? null,
            at: formatTimestamp(new Date(lastAt)),
            count,
          }
        }),
      }
    },
  } satisfies Partial<Handlers>
}
