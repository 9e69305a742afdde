import type { PurchaseState } from '@saleproof/schema'
import { type AuditEvent, appendEvent } from '../audit/append.ts'
import { scopeOf, type Transact } from '../db/database.ts'
import { type SqlSteps, select, unread } from '../db/sql-steps.ts'

interface PurchaseStateOptions {
  transact: Transact
  clock: () => Date
}

/** A purchase as the drivers return it. */
interface StoredPurchase {
  code: string
  state: PurchaseState
  itemId: number
  itemName: string
  thumbnail: string
  licenseType: string
  price: number
  currency: string
  date: number
  supportedUntil: number | null
  downloaded: number
}

interface Change {
  workspaceId: string
  code: string
  state: PurchaseState
  actor: AuditEvent['actor']
}

const find = `SELECT p."code", p."state", p."itemId", i."name" AS "itemName", i."thumbnail", p."licenseType", p."price",
    p."currency", p."date", p."supportedUntil", p."downloaded"
  FROM "Purchase" p JOIN "Item" i ON i."workspaceId" = p."workspaceId" AND i."id" = p."itemId"
  WHERE p."workspaceId" = $1 AND p."code" = $2`

const update = `UPDATE "Purchase" SET "state" = $3, "refundedAt" = $4 WHERE "workspaceId" = $1 AND "code" = $2`

const recordChange = `INSERT INTO "PurchaseChange" ("workspaceId", "code", "entry", "state") VALUES ($1, $2, $3, $4)`

export function createPurchaseState({ transact, clock }: PurchaseStateOptions) {
  function* change({ workspaceId, code, state, actor }: Change): SqlSteps<StoredPurchase | undefined> {
    const [found] = yield* select<StoredPurchase>(find, workspaceId, code)
    if (!found || found.state === state) return found
    const at = clock()
    yield unread([update, workspaceId, found.code, state, state === 'refunded' ? at : null])
    const subject = String(found.itemId)
    const entry = yield* appendEvent({ at, actor, action: 'purchase.changed', workspaceId, subject })
    yield unread([recordChange, workspaceId, found.code, entry, state])
    return { ...found, state }
  }

  return {
    /**
     * Sets the state of the purchase with a code; gives the purchase, if there is one.
     * Setting the current state changes nothing and is not recorded.
     */
    async set(request: Change) {
      const row = await transact(() => change(request), { scope: scopeOf(request.workspaceId) })
      return (
        row && {
          ...row,
          itemId: BigInt(row.itemId),
          item: { name: row.itemName, thumbnail: row.thumbnail },
          price: BigInt(row.price),
          date: new Date(row.date),
          supportedUntil: row.supportedUntil === null ? null : new Date(row.supportedUntil),
          downloaded: Boolean(row.downloaded),
        }
      )
    },
  }
}
