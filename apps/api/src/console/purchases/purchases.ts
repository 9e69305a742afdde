import { Readable } from 'node:stream'
import { formatMoney, formatTimestamp, parseTimestamp } from '@saleproof/schema'
import type { ConsolePurchase } from '@saleproof/schema/console'
import {
  type PurchaseRow,
  presentBasePurchase,
  presentExtendedPurchase,
} from '../../api/presenters/purchase.ts'
import type { Recorder } from '../../audit/append.ts'
import type { ShareExports } from '../../cluster/export-semaphore.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { AccountModel, Prisma } from '../../db/sqlite/prisma.ts'
import type { Read } from '../../db/sqlite/reader.ts'
import type { Write } from '../../db/transaction.ts'
import { createPurchaseState } from '../../domain/purchase-state.ts'
import { createPurchases } from '../../domain/purchases.ts'
import { ConsoleFailure } from '../console-error.ts'
import type { Handlers } from '../handler.ts'
import { createExportSlots } from './export-slots.ts'
import { exportPurchases, exportType } from './purchase-export.ts'
import { createPurchasePages, type PurchaseFilters } from './purchase-list.ts'

interface PurchaseHandlersOptions {
  prisma: Prisma
  read: Read
  write: Write
  vault: KeyVault
  clock: () => Date
  recorderOf: (account: Pick<AccountModel, 'id'>) => Recorder
  shareExports?: ShareExports | undefined
}

const defaultLimit = 50

export const presentPurchase = (row: PurchaseRow): ConsolePurchase => ({
  purchase_code: row.code,
  state: row.state,
  item: { id: Number(row.itemId), name: row.item.name, thumbnail: row.item.thumbnail },
  license_type: row.licenseType,
  price: formatMoney(row.price, row.currency),
  currency: row.currency,
  date: formatTimestamp(row.date),
  supported_until: row.supportedUntil && formatTimestamp(row.supportedUntil),
  downloaded: row.downloaded,
})

/** Whether a purchase is among those that are looked for; what the pages ask of the database. */
function fits(row: PurchaseRow, filters: PurchaseFilters): boolean {
  const { item_id: itemId, license_type: licenseType, state, from, to } = filters
  return (
    (itemId === undefined || row.itemId === BigInt(itemId)) &&
    (licenseType === undefined || row.licenseType === licenseType) &&
    (state === undefined || row.state === state) &&
    (from === undefined || row.date >= parseTimestamp(from)!) &&
    (to === undefined || row.date < parseTimestamp(to)!)
  )
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>) {
  if (!first.done) yield first.value
  yield* rest
}

/** What an owner may see of a workspace: all of it. */
export const asOwner = (workspaceId: string) =>
  ({ workspaceId, keyId: '', publishable: false, bound: false, shape: null, locale: null }) as const

type PurchaseHandlers = Pick<
  Handlers,
  'searchPurchases' | 'getPurchase' | 'setPurchaseState' | 'exportPurchases'
>

/** The purchases of a workspace. */
export function createPurchaseHandlers(options: PurchaseHandlersOptions): PurchaseHandlers {
  const { prisma, read, write, vault, clock, recorderOf } = options
  const pages = createPurchasePages({ prisma, read })
  const purchases = createPurchases({ prisma })
  const slots = createExportSlots(options.shareExports)

  async function find(workspaceId: string, code: string): Promise<PurchaseRow> {
    const row = await purchases.find(asOwner(workspaceId), code)
    if (!row) throw new ConsoleFailure('not_found')
    return row
  }

  return {
    async searchPurchases({ workspace, request }) {
      const { purchase_code: code, limit = defaultLimit, ...filters } = request
      if (code !== undefined) {
        const row = await purchases.find(asOwner(workspace.id), code)
        const rows = row && fits(row, filters) ? [row] : []
        return {
          purchases: rows.map(presentPurchase),
          total: { count: rows.length, more: false },
          next_cursor: null,
        }
      }
      const { rows, next } = await pages.page(workspace.id, filters, limit)
      const counted = async () =>
        next ? pages.count(workspace.id, filters) : { count: rows.length, more: false }
      const total = filters.cursor === undefined ? await counted() : null
      return { purchases: rows.map(presentPurchase), total, next_cursor: next }
    },

    async getPurchase({ workspace, request }) {
      const row = await find(workspace.id, request.purchase_code)
      return {
        purchase: presentPurchase(row),
        base: presentBasePurchase(row),
        extended: presentExtendedPurchase(row),
      }
    },

    async setPurchaseState({ owner, workspace, request: { purchase_code: code, state } }) {
      const row = await find(workspace.id, code)
      const states = createPurchaseState({ write, vault, record: recorderOf(owner.account) })
      await states.set(workspace.id, row.code, state)
      return presentPurchase(await find(workspace.id, row.code))
    },

    async exportPurchases({ ctx, owner, workspace, request }) {
      const free = await slots.take(owner.account.id)
      try {
        const record = recorderOf(owner.account)
        await write((tx) => record(tx, { action: 'export', workspaceId: workspace.id }))
        const pieces = exportPurchases(pages, workspace.id, request)
        // What fails at once is told as any other failure; later it can only be broken off.
        const first = await pieces.next()
        const day = clock().toISOString().slice(0, 10)
        ctx.type = exportType(request.format)
        ctx.set(
          'Content-Disposition',
          `attachment; filename="${workspace.slug}-purchases-${day}.${request.format}"`,
        )
        // Also closed when the browser goes away.
        ctx.body = Readable.from(startingWith(first, pieces)).once('close', free)
      } catch (error) {
        free()
        throw error
      }
      return undefined
    },
  }
}
