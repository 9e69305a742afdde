import type { PurchaseState } from '@saleproof/schema'
import type { Transact } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import { selectFields } from '../records/export-record.ts'
import type { StoredRow } from '../records/json.ts'
import { purchaseTable } from '../records/purchase.ts'
import { type AuditEvent, appendAudit } from './audit-log.ts'

interface PurchaseStateOptions {
  transact: Transact
  clock: () => Date
}

/** A purchase as the drivers return it. */
type StoredPurchase = StoredRow & { code: string; itemName: string; thumbnail: string }

interface Change {
  workspaceId: number
  code: string
  state: PurchaseState
  actor: AuditEvent['actor']
}

const find = `SELECT ${selectFields(purchaseTable)}, i."name" AS "itemName", i."thumbnail"
  FROM "Purchase" t JOIN "Item" i ON i."workspaceId" = t."workspaceId" AND i."id" = t."itemId"
  WHERE t."workspaceId" = $1 AND t."code" = $2`

const update = `UPDATE "Purchase" SET "state" = $3, "refundedAt" = $4 WHERE "workspaceId" = $1 AND "code" = $2`

const recordChange = `INSERT INTO "PurchaseChange" ("workspaceId", "code", "entry", "state") VALUES ($1, $2, $3, $4)`

export function createPurchaseState({ transact, clock }: PurchaseStateOptions) {
  async function change(sql: Sql, { workspaceId, code, state, actor }: Change) {
    const [found] = await sql.query<StoredPurchase>(find, workspaceId, code)
    if (!found || found.state === state) return found
    const at = clock()
    const refundedAt = state === 'refunded' ? at : null
    await sql.run(update, workspaceId, found.code, state, refundedAt)
    const subject = String(found.itemId)
    const entry = await appendAudit(sql, { at, actor, action: 'purchase.changed', workspaceId, subject })
    await sql.run(recordChange, workspaceId, found.code, entry, state)
    return { ...found, state, refundedAt }
  }

  return {
    /**
     * Sets the state of the purchase with a code; gives the purchase, if there is one.
     * Setting the current state changes nothing and is not recorded.
     */
    async set(request: Change) {
      const row = await transact((sql) => change(sql, request), request.workspaceId)
      return row && { ...row, item: { name: row.itemName, thumbnail: row.thumbnail } }
    },
  }
}
