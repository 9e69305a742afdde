import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ConsolePurchase } from '@saleproof/schema/console'
import { type PurchaseRow, presentPurchase as presentForApi } from '../../api/presenters.ts'
import { createCustomerErasure } from '../../domain/customers.ts'
import { createPurchaseRemoval } from '../../domain/purchase-removal.ts'
import { createPurchaseState } from '../../domain/purchase-state.ts'
import { createPurchases } from '../../domain/purchases.ts'
import { createRecordEdits } from '../../domain/record-edit.ts'
import { createFairQueue } from '../../fair-queue.ts'
import type { StoredRow } from '../../records/json.ts'
import { createRecordPresenter } from '../../records/present.ts'
import { purchaseTable } from '../../records/purchase.ts'
import { UserError } from '../../user-error.ts'
import { busy, ConsoleError } from '../console-error.ts'
import type { ConsoleOptions, Handlers } from '../handler.ts'
import { presentEdit } from '../present-edit.ts'
import type { PurchaseFilters } from './candidates.ts'
import { isCode, isPartOfCode } from './code-part.ts'
import { isOfCustomer } from './customers.ts'
import { exportPurchases, exportType } from './purchase-export.ts'
import { createPurchaseHistory } from './purchase-history.ts'
import { createPurchaseList } from './purchase-list.ts'

const defaultLimit = 50

/** One reads as much as a page of the console does a hundred times. Those that are no longer wanted end at once. */
const sumLimits = { running: 2, ofOwner: 1, waitingOfOwner: 10, timeoutMs: 30_000, full: busy }

/** Both formats at once, or two workspaces. All exports share one reader thread with every page of the console; a ninth waits. */
const exportLimits = {
  running: 8,
  ofOwner: 2,
  waitingOfOwner: 0,
  timeoutMs: 10_000,
  full: () => new ConsoleError('too_many_exports', { retryAfter: 10 }),
}

const presentFields = createRecordPresenter<Omit<ConsolePurchase, 'item'> & { item: number }>(
  purchaseTable,
  null,
)

type ListedRow = StoredRow & { item: Pick<PurchaseRow['item'], 'name'> }

export function presentPurchase(row: ListedRow): ConsolePurchase {
  const fields = presentFields(row)
  return { ...fields, item: { id: fields.item, name: row.item.name } }
}

async function* prepend(first: IteratorResult<string>, rest: AsyncGenerator<string>) {
  if (!first.done) yield first.value
  yield* rest
}

/** Owners see every purchase of a workspace, like an unbound key. */
export const asOwner = (workspaceId: number) =>
  ({ workspaceId, keyId: '', publishable: false, bound: false, shape: null, locale: null }) as const

export function createPurchaseHandlers(options: ConsoleOptions) {
  const { database, usage, clock, logger } = options
  const list = createPurchaseList(options)
  const purchases = createPurchases(database)
  const readHistory = createPurchaseHistory(options)
  const exportInTurn = createFairQueue(exportLimits)
  const inTurn = createFairQueue(sumLimits)

  async function find(workspaceId: number, code: string): Promise<PurchaseRow> {
    const row = await purchases.find(asOwner(workspaceId), code)
    if (!row) throw new ConsoleError('not_found')
    return row
  }

  /** Another program that reads the file would keep what is erased. */
  async function unlessRead<T>(erase: () => Promise<T>): Promise<T> {
    try {
      return await erase()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      logger.warn({ reason: error.message }, 'nothing was erased')
      throw new ConsoleError('busy', { retryAfter: 5 })
    }
  }

  async function searchPage(workspaceId: number, filters: PurchaseFilters, limit: number) {
    const { rows, next, totals } = await list.page(workspaceId, filters, limit)
    const { total, sums } = filters.cursor === undefined ? await totals() : { total: null, sums: null }
    return { purchases: rows.map(presentPurchase), total, sums, next_cursor: next }
  }

  /** What a text searches for. */
  async function searchOf(workspaceId: number, text: string | undefined) {
    if (text === undefined) return undefined
    const row = await purchases.find(asOwner(workspaceId), text)
    return row ? isCode(text) : [...isPartOfCode(text), ...isOfCustomer(workspaceId, text)]
  }

  return {
    async searchPurchases({ workspace, request }) {
      const { search: text, limit = defaultLimit, ...filters } = request
      return searchPage(workspace.id, { ...filters, search: await searchOf(workspace.id, text) }, limit)
    },

    /** Not in the queue of the pages: they would wait for it. */
    async sumPurchases({ ctx, owner, workspace, request: { search: text, ...filters } }) {
      const sum = async () => {
        const search = await searchOf(workspace.id, text)
        return { sums: await list.sum(workspace.id, { ...filters, search }, () => !ctx.res.destroyed) }
      }
      return inTurn(owner.account.id, sum)
    },

    async getPurchase({ workspace, request }) {
      const row = await find(workspace.id, request.purchase_code)
      return {
        purchase: presentPurchase(row),
        history: await readHistory(row),
        base: presentForApi.base(row),
        extended: presentForApi.extended(row),
      }
    },

    async setPurchaseState({ record, workspace, request: { purchase_code: code, state } }) {
      const setState = createPurchaseState({ ...database, clock, record })
      const row = await setState(workspace.id, code, state)
      if (!row) throw new ConsoleError('not_found')
      return presentPurchase(row)
    },

    async editPurchase({ record, workspace, request: { purchase_code: code, locale, ...edit } }) {
      const edits = createRecordEdits({ ...database, record })
      return presentEdit(await edits.purchase(workspace, code, edit), locale)
    },

    async eraseCustomer({ record, workspace, request: { email } }) {
      const erase = createCustomerErasure({ ...database, record })
      return { purchases: await unlessRead(() => erase([workspace.id], email)) }
    },

    async removePurchase({ record, workspace, request }) {
      const { code } = await find(workspace.id, request.purchase_code)
      const remove = createPurchaseRemoval({ ...database, record, forget: usage.forgetPurchase })
      await unlessRead(() => remove(workspace.id, code))
      return undefined
    },

    async exportPurchases({ ctx, owner, record, workspace, request }) {
      async function begin() {
        await database.transact(
          (tx) => record(tx, { action: 'export', workspaceId: workspace.id }),
          workspace.id,
        )
        const pieces = exportPurchases(list, workspace.id, request)
        // An error in the first piece gets an error response. Later, the connection can only be cut.
        const first = await pieces.next()
        const day = clock().toISOString().slice(0, 10)
        ctx.type = exportType(request.format)
        ctx.set(
          'Content-Disposition',
          `attachment; filename="${workspace.slug}-purchases-${day}.${request.format}"`,
        )
        return Readable.from(prepend(first, pieces))
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      // A turn ends with its file. It also closes when the client disconnects.
      const send = async () => {
        // Nothing is recorded for a client that left while it waited.
        if (ctx.res.destroyed) return resolve()
        const file = await begin()
        ctx.body = file
        const closed = once(file, 'close')
        resolve()
        await closed
      }
      exportInTurn(owner.account.id, send).catch(reject)
      await promise
      return undefined
    },
  } satisfies Partial<Handlers>
}
