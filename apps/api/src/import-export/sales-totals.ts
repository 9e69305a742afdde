import type { SqlSteps } from '../db/sql-steps.ts'

const trigger = `SELECT "name", "sql" FROM main.sqlite_schema WHERE "type" = 'trigger' AND "name" = 'Purchase_inserted_totals'`

const columns = ['sales', 'salesHigh', 'salesLow', 'refunds', 'refundsHigh', 'refundsLow']
const high = '("price" / 1000000000)'
const low = '("price" % 1000000000)'

const addTotals = (
  entry: string,
) => `INSERT INTO main."SalesTotal" ("workspaceId", "unit", "start", "itemId", "currency", ${columns.map((column) => `"${column}"`).join(', ')})
  SELECT "workspaceId", "unit", coalesce(unixepoch("at"), 0) / "seconds", CASE "unit" WHEN 'hour' THEN 0 ELSE "itemId" END, "currency",
    sum(1 - "refund"), sum((1 - "refund") * ${high}), sum((1 - "refund") * ${low}),
    sum("refund"), sum("refund" * ${high}), sum("refund" * ${low})
  FROM (SELECT *, "date" AS "at", 0 AS "refund" FROM main."Purchase" WHERE "createdEntry" = ${entry}
      UNION ALL SELECT *, coalesce("refundedAt", "date"), 1 FROM main."Purchase" WHERE "createdEntry" = ${entry} AND "state" = 'refunded')
    JOIN (SELECT 'hour' AS "unit", 3600 AS "seconds" UNION ALL SELECT 'item_day', 86400)
  WHERE TRUE GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT DO UPDATE SET ${columns.map((column) => `"${column}" = "${column}" + excluded."${column}"`).join(', ')}`

/** Creates the purchases of an import, many of them, in an SQLite file. The trigger would add each to the totals, which takes longer than creating them. */
export function* createSales(create: SqlSteps<void>, entry: string): SqlSteps<void> {
  const triggers = yield trigger
  for (const { name } of triggers) yield `DROP TRIGGER main."${name}"`
  yield* create
  yield addTotals(entry)
  for (const { sql } of triggers) yield String(sql)
}
