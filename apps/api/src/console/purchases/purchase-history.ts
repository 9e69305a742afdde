import { formatTimestamp } from '@saleproof/schema'
import type { PurchaseEvent, PurchaseHistory, PurchaseValidations } from '@saleproof/schema/console'
import type { PurchaseModel } from '../../db/prisma.ts'
import type { ConsoleOptions } from '../handler.ts'
import { type EntryRow, findActors, findEntries } from '../names.ts'

/** As many as a person reads. */
const maxChanges = 50

const toTimestamp = (ms: number) => formatTimestamp(new Date(ms))

/** What happened to a purchase. Everything is found by a key, however many purchases and audit entries there are. */
export function createPurchaseHistory({ database: { prisma }, usage, onError }: ConsoleOptions) {
  async function readValidations({ workspaceId, code }: PurchaseModel): Promise<PurchaseValidations | null> {
    try {
      const use = await usage.readPurchaseUse(workspaceId, code)
      if (!use) return { count: 0, first_at: null, last_at: null }
      return { count: use.count, first_at: toTimestamp(use.firstAt), last_at: toTimestamp(use.lastAt) }
    } catch (error) {
      // A purchase can be refunded although its validations cannot be read: in SQLite they have a file of their own.
      onError(error)
      return null
    }
  }

  return async function readHistory(purchase: PurchaseModel): Promise<PurchaseHistory> {
    const { workspaceId, code, createdEntry } = purchase
    const changes = await prisma.purchaseChange.findMany({
      // A purchase that was recorded by hand has one for that.
      where: { workspaceId, code, ...(createdEntry !== null && { entry: { not: createdEntry } }) },
      orderBy: { entry: 'desc' },
      take: maxChanges,
    })
    const numbers = changes.map(({ entry }) => entry)
    if (createdEntry !== null) numbers.push(createdEntry)
    const entries = await findEntries(prisma, numbers)
    const actor = await findActors(prisma, entries)
    const byNumber = new Map(entries.map((entry) => [entry.number, entry]))
    const present = (entry: EntryRow): PurchaseEvent => ({
      at: formatTimestamp(entry.at),
      by: actor(entry.actor),
    })
    const created = createdEntry === null ? undefined : byNumber.get(createdEntry)
    return {
      created: created ? { ...present(created), manual: created.action === 'purchase.created' } : null,
      validations: await readValidations(purchase),
      changes: changes.flatMap(({ entry, state, fields }) => {
        const found = byNumber.get(entry)
        return found ? { ...present(found), state, fields: fields?.split(',') ?? [] } : []
      }),
      shortened: entries.length < numbers.length,
    }
  }
}
