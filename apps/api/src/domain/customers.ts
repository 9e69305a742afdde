import { customerFields } from '@saleproof/schema/records'
import type { Database } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import { purchaseTable } from '../records/purchase.ts'
import type { Recorder } from './audit-log.ts'

// What the triggers of the database make words of: the migrations say it once more.
export const wordSeparators = ['\n', '\t', '"', '(', '#']
const maxWord = 64

export const wordsIn = (text: string) =>
  text
    .split(/[\n\t"(# ]+/)
    .filter(Boolean)
    .map((word) => [...word].slice(0, maxWord).join(''))

/** The columns that say something of a customer. */
export const customerColumns = purchaseTable.fields.flatMap(({ path, column }) =>
  column && customerFields.some((field) => field === path) ? `"${column}"` : [],
)

const bought = `"workspaceId" = $1 AND "customerEmail" = $2
  AND "code" IN (SELECT "code" FROM "PurchaseWord" WHERE "workspaceId" = $1 AND "word" = $3)`

const recordChanges = `INSERT INTO "PurchaseChange" ("workspaceId", "code", "entry", "state", "fields")
  SELECT "workspaceId", "code", CAST($4 AS integer), "state", '${customerFields.join()}' FROM "Purchase" WHERE ${bought}`

const clear = `UPDATE "Purchase" SET ${customerColumns.map((column) => `${column} = NULL`).join(', ')} WHERE ${bought}`

interface CustomerErasureOptions extends Pick<Database, 'transact' | 'erasing'> {
  record: Recorder
}

/** Removes what purchases say of the customer with an e-mail address; gives how many they are. They stay valid. */
export function createCustomerErasure({ transact, erasing, record }: CustomerErasureOptions) {
  async function eraseIn(sql: Sql, workspaceId: number, email: string): Promise<number> {
    const customer = [workspaceId, email, wordsIn(email)[0] ?? '']
    const [found] = await sql.query<{ count: number }>(
      `SELECT count(*) AS "count" FROM "Purchase" WHERE ${bought}`,
      ...customer,
    )
    const count = Number(found?.count)
    if (count === 0) return 0
    const entry = await record(sql, { action: 'customer.erased', workspaceId })
    await sql.run(recordChanges, ...customer, entry)
    await sql.run(clear, ...customer)
    return count
  }

  return function erase(workspaceIds: readonly number[], address: string): Promise<number> {
    const email = address.normalize().trim().toLowerCase()
    return erasing(async () => {
      let count = 0
      for (const id of workspaceIds) count += await transact((sql) => eraseIn(sql, id, email), id)
      return count
    })
  }
}
